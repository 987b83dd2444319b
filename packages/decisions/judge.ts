import type { Act, Decision } from '@hearth/protocol/decision.ts';
import type { Action, CardPause, Pause } from '@hearth/protocol/pause.ts';
import type { Did, Receipt, Refusal, RefusalCode } from '@hearth/protocol/receipt.ts';
import type { Docket, Settled } from './docket.ts';
import { coerced } from './coercion.ts';
import { misfit } from './fields.ts';
import { fits, ruleOf } from './permission-rule.ts';

/*
 * One function judges every decision. The rules stand in the order in which they apply; the first that objects
 * refuses, and a refusal changes nothing. The judge is pure: it sees open and closed pauses and the decision.
 */

/** What the judge says: refused with a reason, or accepted as what. */
export type Verdict =
  | { readonly refused: Refusal }
  | { readonly accepted: { readonly pause: Pause; readonly act: Act; readonly as: NonNullable<Did['as']> } };

/** A decision and the open pause that it names. */
interface Case {
  readonly docket: Docket;
  readonly decision: Decision;
  readonly pause: Pause;
}

/** Which acts belong to which kind of pause. A chat pause takes none: only a message leaves it. */
const ACTS: Record<Pause['kind'], readonly Act['do'][]> = {
  chat: [],
  question: ['answer', 'cancel'],
  card: ['act', 'say'],
  input: ['answer', 'act'],
  permission: ['permit'],
  recovery: ['answer'],
};

const refuse = (code: RefusalCode, message: string): Refusal => ({ code, message });

/** Judges a decision against what is open. `known` is the receipt under its command id, if any, with its payload digest compared by the caller. */
export function judgeDecision(docket: Docket, decision: Decision): Verdict {
  const pause = docket.open.find(open => open.id === decision.pause);
  if (pause === undefined) return { refused: refuseMissing(docket, decision) };
  const item: Case = { docket, decision, pause };
  for (const rule of RULES) {
    const refused = rule(item);
    if (refused !== null) return { refused };
  }
  const act = normalised(item);
  return { accepted: { pause, act, as: outcomeOf(item, act) } };
}

/** Whether a repeated command id is the same command: the first receipt, or a conflict. */
export function judgeRepeat(
  known: Receipt,
  payload: Receipt['payload'],
): { replayed: Receipt } | { refused: Refusal } {
  if (known.payload === payload) return { replayed: known };
  return {
    refused: refuse(
      'command_conflict',
      `Command ${known.commandId} was already used for something else; send this one under a new command id.`,
    ),
  };
}

function refuseMissing(docket: Docket, decision: Decision): Refusal {
  const number = Number(decision.pause.slice(1));
  if (number > docket.lastPause) {
    return refuse('unknown_pause', `There is no ${decision.pause} in this conversation.${openWords(docket)}`);
  }
  const settled = docket.closed.find(closed => closed.pause === decision.pause);
  const refusal = refuse('closed', closedWords(decision.pause, settled) + openWords(docket));
  if (settled === undefined) return refusal;
  const action = settled.action ?? settled.option;
  return { ...refusal, by: settled.by, ...(action === undefined ? {} : { action }) };
}

function closedWords(id: string, settled: Settled | undefined): string {
  if (settled === undefined) return `${id} was closed earlier; nothing changed.`;
  const what = settled.label ?? settled.action ?? settled.option;
  return `${id} was already ${settled.how} by ${settled.by.name}${what === undefined ? '' : ` ("${what}")`} at ${settled.at}; nothing changed.`;
}

function openWords(docket: Docket): string {
  const owed = docket.open.filter(pause => pause.kind !== 'chat').map(pause => pause.id);
  return owed.length === 0 ? ' Nothing is open.' : ` Open: ${owed.join(', ')}.`;
}

type Rule = (item: Case) => Refusal | null;

const wrongState: Rule = ({ docket, decision, pause }) => {
  if (!ACTS[pause.kind].includes(decision.act.do)) {
    const advice =
      pause.kind === 'chat'
        ? 'it waits for a message, so send one'
        : `it takes: ${ACTS[pause.kind].join(', ')}`;
    return refuse(
      'wrong_state',
      `"${decision.act.do}" does not belong to ${pause.id}, a ${pause.kind} pause: ${advice}.`,
    );
  }
  if (decision.act.do === 'say' && !docket.reads(pause))
    return refuse('wrong_state', `Nobody reads words at ${pause.id}: choose one of its actions.`);
  if (decision.act.do !== 'act') return null;
  const { action: name } = decision.act;
  const actions = pause.kind === 'card' || pause.kind === 'input' ? pause.actions : [];
  const action = actions.find(candidate => candidate.name === name);
  const names = actions.map(candidate => candidate.name).join(', ');
  if (action === undefined)
    return refuse('wrong_state', `${pause.id} has no action "${name}"; it has: ${names || 'none'}.`);
  // While a card is redrafted none of its actions is possible, and "busy" says so.
  const redrafted = pause.kind === 'card' && pause.status === 'drafting';
  if (!action.enabled && !redrafted)
    return refuse('wrong_state', `"${name}" is not possible now: ${action.why ?? 'it is disabled'}.`);
  return null;
};

const stopsCase = ({ docket, decision, pause }: Case): boolean =>
  decision.act.do === 'act' && docket.stops(pause, decision.act.action);

const busy: Rule = item =>
  item.pause.kind === 'card' && item.pause.status === 'drafting' && !stopsCase(item)
    ? refuse('busy', `${item.pause.shown.artifact} is being redrafted; wait for the new version.`)
    : null;

const shownVersion: Rule = item => {
  const { pause, decision } = item;
  if (pause.kind !== 'card' || stopsCase(item)) return null;
  const { shown } = pause;
  if (decision.artifact !== shown.artifact) {
    return refuse(
      'wrong_artifact',
      `${pause.id} shows "${shown.artifact}", not "${decision.artifact ?? 'nothing'}".`,
    );
  }
  if (decision.version !== shown.version) {
    return refuse(
      'stale_version',
      `${shown.artifact} is at version ${shown.version} now, and the decision was for ${decision.version ?? 'no version'}.`,
    );
  }
  if (decision.digest !== undefined && decision.digest !== shown.digest) {
    return refuse(
      'digest_mismatch',
      `${shown.artifact}@${shown.version} has another digest than the one decided on.`,
    );
  }
  // Another version takes the place of such a text; only what might confirm it is refused.
  if (mayConfirm(pause, decision.act) && item.docket.altered(pause)) {
    return refuse(
      'digest_mismatch',
      `The text of ${shown.artifact}@${shown.version} was changed where it is stored: ask for another version, or stop.`,
    );
  }
  return null;
};

function mayConfirm(pause: CardPause, act: Act): boolean {
  if (act.do !== 'act') return act.do === 'say';
  return pause.actions.some(action => action.name === act.action && action.confirms);
}

const permitted: Rule = ({ decision }) =>
  decision.actor.kind === 'person' || decision.actor.kind === 'caller'
    ? null
    : refuse('not_permitted', `A ${decision.actor.kind} may not decide; only a person may.`);

const blank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

const feedback: Rule = ({ pause, decision }) => {
  if (decision.act.do === 'say') {
    return blank(decision.act.text) ? refuse('feedback_required', `Nothing was said at ${pause.id}.`) : null;
  }
  if (decision.act.do !== 'act' || (pause.kind !== 'card' && pause.kind !== 'input')) return null;
  const { act } = decision;
  const action = pause.actions.find(candidate => candidate.name === act.action);
  return action !== undefined && needsWords(action) && blank(act.feedback)
    ? refuse('feedback_required', `"${action.label}" needs words: say what to change.`)
    : null;
};

/** An action without a button is taken by words; one that confirms or closes by words that need not be kept. */
function needsWords({ needs, button, confirms, stops }: Action): boolean {
  return needs === 'feedback' || (!button && !confirms && stops !== true);
}

/** Confirm with feedback is a revision; with more than one revising action the surface must ask which. */
const kind: Rule = item => {
  const revising = revisingActions(item);
  if (revising === null || revising.length === 1) return null;
  return refuse(
    'kind_required',
    `A confirmation with feedback is a revision; say which: ${revising.join(', ') || 'no revising action is declared'}.`,
  );
};

/** The revising actions that a confirmation with feedback could mean; `null` when it is no such thing. */
function revisingActions({ docket, decision, pause }: Case): readonly string[] | null {
  const { act } = decision;
  if (pause.kind !== 'card' || act.do !== 'act' || blank(act.feedback)) return null;
  const confirms = pause.actions.some(action => action.name === act.action && action.confirms);
  if (!confirms) return null;
  return pause.actions.map(action => action.name).filter(name => docket.revises(pause, name));
}

const choice: Rule = ({ pause, decision }) => {
  const { act } = decision;
  if (act.do !== 'answer') return null;
  if (pause.kind === 'input') return fieldsFit(pause.id, pause.fields, act.fields);
  if (pause.kind !== 'question' && pause.kind !== 'recovery') return null;
  const options = pause.kind === 'question' ? pause.options : pause.choices;
  const ids = options.map(({ id, label }) => (label === id ? id : `${id} ("${label}")`)).join(', ');
  if (act.option !== undefined) {
    if (!options.some(option => option.id === act.option)) {
      return refuse(
        'invalid_choice',
        `"${act.option}" is no option of ${pause.id}; it has: ${ids || 'none'}.`,
      );
    }
    return null;
  }
  if (pause.kind === 'question' && pause.fields !== undefined)
    return fieldsFit(pause.id, pause.fields, act.fields);
  if (pause.kind === 'question' && pause.allowFreeText && !blank(act.text)) return null;
  return refuse(
    'invalid_choice',
    `${pause.id} was not answered: choose one of ${ids || 'its fields'}${
      pause.kind === 'question' && pause.allowFreeText ? ', or say it in words' : ''
    }.`,
  );
};

function fieldsFit(
  id: string,
  schema: Parameters<typeof misfit>[0],
  fields: Parameters<typeof misfit>[1] | undefined,
): Refusal | null {
  if (fields === undefined) return refuse('invalid_choice', `${id} asks for fields; none were given.`);
  const why = misfit(schema, coerced(schema, fields));
  return why === null ? null : refuse('invalid_choice', `The fields do not fit ${id}: ${why}.`);
}

/** A rule is kept for good, so it must be one, and say something of the call that was shown. */
const kept: Rule = ({ pause, decision }) => {
  const { act } = decision;
  if (pause.kind !== 'permission' || act.do !== 'permit' || act.rule === undefined) return null;
  const { tool, args } = pause.call;
  if (ruleOf(act.rule) === null) {
    return refuse(
      'invalid_choice',
      `"${act.rule}" is no rule; write Tool or Tool(pattern), as in ${pause.rule}.`,
    );
  }
  if (act.grant === 'once')
    return refuse('invalid_choice', 'A rule is kept by "always" and by "deny", and not by "once".');
  const sense = act.grant === 'always' ? 'allows' : 'guards';
  return fits(act.rule, { tool, args }, sense)
    ? null
    : refuse('invalid_choice', `The rule "${act.rule}" does not fit the call that ${pause.id} asks about.`);
};

const RULES: readonly Rule[] = [wrongState, busy, shownVersion, permitted, feedback, kind, choice, kept];

function normalised(item: Case): Act {
  const { act } = item.decision;
  const { pause } = item;
  if (
    act.do === 'answer' &&
    act.fields !== undefined &&
    (pause.kind === 'input' || pause.kind === 'question')
  ) {
    return pause.fields === undefined ? act : { ...act, fields: coerced(pause.fields, act.fields) };
  }
  const [revision] = revisingActions(item) ?? [];
  if (revision === undefined || act.do !== 'act' || act.feedback === undefined) return act;
  return { do: 'act', action: revision, feedback: act.feedback };
}

function outcomeOf(item: Case, act: Act): NonNullable<Did['as']> {
  if (act.do === 'cancel') return 'cancelled';
  if (act.do !== 'act') return 'answered';
  if (item.docket.stops(item.pause, act.action)) return 'stopped';
  if (item.docket.revises(item.pause, act.action)) return 'revised';
  const actions = item.pause.kind === 'card' ? item.pause.actions : [];
  return actions.some(action => action.name === act.action && action.confirms) ? 'confirmed' : 'answered';
}
