import { type Verdict, judgeDecision } from '@hearth/decisions/judge.ts';
import type { Values } from '@hearth/language/value.ts';
import type { ArtifactRef, Finding } from '@hearth/protocol/artifact.ts';
import type { Decision } from '@hearth/protocol/decision.ts';
import type { EffectId, Instant } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { Did, Refusal } from '@hearth/protocol/receipt.ts';
import { docketOf } from './docket.ts';
import type { EffectKind, Entry, EntryBody } from './entry.ts';
import { accepted, tellQueued } from './machine/accepted.ts';
import { damaged } from './machine/damaged.ts';
import { damageUnseen } from './quiescent.ts';
import { decided } from './machine/decided.ts';
import { settle } from './machine/delivery.ts';
import { Draft } from './machine/draft.ts';
import {
  began,
  called,
  ceased,
  grantUsed,
  intended,
  returned,
  seen,
  sessionKnown,
  taken,
} from './machine/effect.ts';
import { ended } from './machine/ended.ts';
import { misfitOutput } from './machine/it-happened.ts';
import { interrupted } from './machine/interrupted.ts';
import { looked } from './machine/looked.ts';
import { cancelled, paused, resumed } from './machine/operated.ts';
import { askedAsync, awaits, waited } from './machine/questions.ts';
import { outgrown } from './machine/outgrown.ts';
import { raised } from './machine/raised.ts';
import { replanned } from './machine/replanned.ts';
import { revoked } from './machine/rules.ts';
import { restarted } from './machine/restarted.ts';
import { repeatedAnswer } from './machine/several-answers.ts';
import { unsent } from './machine/unsent.ts';
import { effectKind, type Plan } from './runnable.ts';
import type { Asking } from './question-state.ts';
import type { QueuedMessage, Resume, RunState, State } from './state.ts';
import type { Step } from './step.ts';

/*
 * The machine: a pure core. What may run is a function of the state; the state after any prefix of the journal is
 * the fold of `apply` over it; a decision is judged into an entry and never into a state.
 */

/** Something that may run now. Its id is the one that its intent must carry. */
export interface Effect {
  readonly id: EffectId;
  readonly kind: EffectKind;
  readonly branch: string | null;
  readonly node: string;
  readonly attempt: number;
  readonly input: Values;
  readonly resume: Resume | null;
  /** Words of the person that join this attempt. */
  readonly joined: readonly QueuedMessage[];
  /** It answers this in the person's stead. */
  readonly asking?: Asking;
  /** It shall not start before; absent: at once. */
  readonly retryAt?: Instant;
  /** What was found in the draft that it makes again. */
  readonly findings?: readonly Finding[];
  /** It works beside the graph, for a card that stays open. */
  readonly beside?: true;
}

/** What may run now, in the order of the tokens; of the branches so many as the plan allows at once. */
export function ready(plan: Plan, state: State): readonly Effect[] {
  const { run } = state.machine;
  if (run === null || run.status === 'ended' || run.cancelled !== undefined || damageUnseen(state)) return [];
  const effects: Effect[] = [];
  let free = freeBranches(plan, run);
  for (const token of run.tokens) {
    const kind = effectKind(plan.nodes[token.node]);
    if (token.stage.is !== 'ready' || kind === null) continue;
    // Working something out takes no time, so that it takes no place either.
    if (token.branch !== null && kind !== 'compute') {
      free -= 1;
      if (free < 0) continue;
    }
    const id: EffectId = `e${state.counters.effect + effects.length + 1}`;
    const { attempt, resume, joined, asking, retryAt, findings } = token.stage;
    effects.push({
      id,
      kind,
      branch: token.branch,
      node: token.node,
      attempt,
      input: token.input,
      resume,
      joined,
      ...(asking === undefined ? {} : { asking }),
      ...(retryAt === undefined ? {} : { retryAt }),
      ...(findings === undefined ? {} : { findings }),
      ...(token.beside === undefined ? {} : { beside: true }),
    });
  }
  return effects;
}

/** How many more branches may work at once. */
function freeBranches(plan: Plan, run: RunState): number {
  const most = plan.budget.maxParallelBranches ?? Number.POSITIVE_INFINITY;
  const working = run.tokens.filter(({ branch, stage }) => branch !== null && stage.is === 'running');
  return most - working.length;
}

/** The open pauses, oldest first. */
export function pauses(_plan: Plan, state: State): readonly Pause[] {
  return state.machine.pauses;
}

/**
 * Judges a decision into an entry, or refuses it with the state unchanged. `altered`: a version whose text is another where it
 * is stored, as whoever can look there has found.
 */
export function judge(
  plan: Plan,
  state: State,
  decision: Decision,
  altered: ArtifactRef | null = null,
): { readonly refused: Refusal } | { readonly entry: EntryBody; readonly did: Did } {
  const verdict: Verdict = judgeDecision(docketOf(plan, state, altered), decision);
  if ('refused' in verdict) return verdict;
  const { act, pause, as } = verdict.accepted;
  const refused = misfitOutput(plan, state, pause, act) ?? repeatedAnswer(plan, state, pause, decision, act);
  if (refused !== null) return { refused };
  const did: Did = { pause: pause.id, as, ...(pause.turn === null ? {} : { turn: pause.turn }) };
  return { entry: { is: 'decided', decision: { ...decision, act } }, did };
}

/** The only way in which the state changes; total over entries, and pure. */
export function step(plan: Plan, state: State, entry: Entry): Step {
  const draft = new Draft(plan, state, entry.at);
  change(draft, entry);
  const names = entry.is === 'accepted' || entry.is === 'replanned';
  const current = names ? entry.plan : (draft.machine.run?.plan ?? null);
  if (current !== null) settle(draft, current);
  if (entry.is === 'accepted') tellQueued(draft, entry);
  return draft.finish();
}

/** The next state alone. */
export function apply(plan: Plan, state: State, entry: Entry): State {
  return step(plan, state, entry).state;
}

function change(draft: Draft, entry: Entry): void {
  switch (entry.is) {
    case 'accepted':
      return accepted(draft, entry);
    case 'unsent':
      return unsent(draft, entry);
    case 'decided':
      return decided(draft, entry);
    case 'intended':
      return intended(draft, entry);
    case 'session':
      return sessionKnown(draft, entry);
    case 'permitted':
      return grantUsed(draft, entry);
    case 'revoked':
      return revoked(draft, entry);
    case 'called':
      return called(draft, entry);
    case 'returned':
      return returned(draft, entry);
    case 'asked':
      return askedAsync(draft, entry);
    case 'awaits':
      return awaits(draft, entry);
    case 'waited':
      return waited(draft, entry);
    case 'began':
      return began(draft, entry);
    case 'ceased':
      return ceased(draft, entry);
    case 'taken':
      return taken(draft, entry);
    case 'seen':
      return seen(draft, entry);
    case 'ended':
      return ended(draft, entry);
    case 'interrupted':
      return interrupted(draft, entry);
    case 'raised':
      return raised(draft, entry);
    case 'outgrown':
      return outgrown(draft, entry);
    case 'paused':
      return paused(draft, entry);
    case 'resumed':
      return resumed(draft, entry);
    case 'cancelled':
      return cancelled(draft, entry);
    case 'replanned':
      return replanned(draft, entry);
    case 'restarted':
      return restarted(draft, entry);
    case 'damaged':
      return damaged(draft, entry);
    case 'looked':
      return looked(draft, entry);
    default: {
      const never: never = entry;
      return never;
    }
  }
}
