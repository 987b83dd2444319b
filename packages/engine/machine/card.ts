import type { ReviewNode } from '@hearth/language/plan/node.ts';
import type { Action as Meant } from '@hearth/language/plan/review.ts';
import type { Action, CardPause } from '@hearth/protocol/pause.ts';
import { actionsAt, declared, type Document, documentOf, strayFrom } from '../document.ts';
import type { Plan } from '../runnable.ts';
import type { RunState, Token } from '../state.ts';
import { type Draft, SERVICE } from './draft.ts';
import { hold } from './recovery.ts';
import { turnWaits } from './turn.ts';

/*
 * The card of an artifact under review. It keeps one pause from its first version until it is confirmed, stopped or reopened
 * elsewhere; its version moves, and while a new one is made its actions are closed.
 */

/** The token has come to a review: its card shows the version that counts now. */
export function showCard(draft: Draft, run: RunState, token: Token, node: ReviewNode): void {
  draft.emit({ type: 'node', node: node.name, iteration: token.iteration, change: 'started' }, token);
  const document = documentOf(run, node.artifact);
  const title = declared(draft.plan, node.artifact)?.title ?? node.artifact;
  if (document?.current == null || document.status === 'closed') {
    const detail = `There is no "${title}" that "${node.name}" could show.`;
    hold(draft, token, { cause: 'guard', code: 'NOTHING_TO_REVIEW', detail }, null);
    return;
  }
  document.review = node.name;
  const { current } = document;
  const before = cardOf(draft, node.artifact);
  if (before !== undefined && before.node !== node.name) draft.closePause(before.id, 'superseded', SERVICE);
  const id = before !== undefined && before.node === node.name ? before.id : draft.next('p');
  const pause: CardPause = {
    id,
    run: run.id,
    turn: draft.machine.turn?.id ?? null,
    node: node.name,
    branch: null,
    openedAt: before?.id === id ? before.openedAt : draft.at,
    text: draft.text(title),
    kind: 'card',
    status: 'shown',
    title,
    shown: current,
    actions: buttonsOf(draft.plan, run, node.name, document),
    from: document.from,
    findings: document.findings,
    earlier: document.earlier,
    ...keptOf(document),
    ...assentOf(draft.plan, node.name),
  };
  token.stage = { is: 'held', pause: id, again: null };
  if (before?.id === id) replace(draft, pause, whyShown(before, document));
  else draft.openPause(pause, token);
  turnWaits(draft);
}

/** Closes the actions of a card until its token is back; the words that asked for a change stay on it. */
export function closeActions(draft: Draft, card: CardPause, kept?: { action: string; text: string }): void {
  const { keptFeedback: _before, ...rest } = card;
  const actions = card.actions.map(action =>
    action.stops === true ? action : { ...action, enabled: false, why: 'another version is being made' },
  );
  replace(
    draft,
    { ...rest, status: 'drafting', actions, ...(kept ? { keptFeedback: kept } : {}) },
    'drafting',
  );
}

/** Shows a card anew where its plan or what it was made from has changed. */
export function refreshCards(draft: Draft): void {
  const { run } = draft;
  for (const pause of draft.machine.pauses) {
    if (run === null || pause.kind !== 'card' || pause.status !== 'shown') continue;
    const document = documentOf(run, pause.shown.artifact);
    if (document === undefined) continue;
    const actions = buttonsOf(draft.plan, run, pause.node, document);
    if (JSON.stringify(actions) !== JSON.stringify(pause.actions))
      replace(draft, { ...pause, actions }, 'findings');
  }
}

/** The open card of an artifact. */
export function cardOf(draft: Draft, artifact: string): CardPause | undefined {
  return draft.machine.pauses.find(
    (pause): pause is CardPause => pause.kind === 'card' && pause.shown.artifact === artifact,
  );
}

/** What a person may do at a node, as a surface shows it. */
export function buttonsOf(
  plan: Plan,
  run: RunState | null,
  node: string,
  document: Document | null,
): Action[] {
  return actionsAt(plan, node).map(action => {
    const why =
      action.confirms && document !== null && run !== null ? mayNotConfirm(plan, run, document) : null;
    return { ...buttonOf(action), enabled: why === null, ...(why === null ? {} : { why }) };
  });
}

function buttonOf({ name, label, needs, confirms, button, stops, reopens }: Meant): Action {
  return {
    name,
    label,
    needs,
    confirms,
    enabled: true,
    button,
    ...(stops ? { stops } : {}),
    ...(reopens === null ? {} : { reopens }),
  };
}

function mayNotConfirm(plan: Plan, run: RunState, document: Document): string | null {
  if (document.change !== null) return 'a change that was asked for is not made yet';
  if (document.status === 'invalidated') return 'what it was made from has changed';
  if (document.status === 'closed') return 'its case is closed';
  return strayFrom(plan, run, document);
}

function keptOf({ change }: Document): Pick<CardPause, 'keptFeedback'> {
  if (change === null || change.feedback === '') return {};
  return { keptFeedback: { action: change.action, text: change.feedback } };
}

function assentOf(plan: Plan, node: string): Pick<CardPause, 'assent'> {
  const meant = actionsAt(plan, node).find(action => action.assent);
  return meant === undefined ? {} : { assent: meant.name };
}

function whyShown(before: CardPause, { current, change }: Document) {
  if (change !== null) return 'draft_failed';
  return before.shown.version === current?.version ? 'findings' : 'new_version';
}

type Why = 'drafting' | 'new_version' | 'draft_failed' | 'findings';

function replace(draft: Draft, pause: CardPause, why: Why): void {
  const { pauses } = draft.machine;
  const index = pauses.findIndex(open => open.id === pause.id);
  if (index < 0) return;
  pauses[index] = pause;
  draft.emit({ type: 'pause.changed', pause, why });
}
