/** What surfaces are shown of a conversation, made from its record and its state alone. */
import type { Plan } from '@hearth/engine/bot.ts';
import { AXES, limitOf } from '@hearth/engine/budget.ts';
import { textOf } from '@hearth/engine/long-text.ts';
import { quiescent } from '@hearth/engine/quiescent.ts';
import type { RunState, State } from '@hearth/engine/state.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import { isDrafting, owes, type Pause } from '@hearth/protocol/pause.ts';
import { headOf, HEAD_LIMIT } from '@hearth/protocol/text.ts';
import type { ConversationRow, ConversationState, ConversationView } from '@hearth/protocol/view.ts';
import type { LaneError } from './lane-error.ts';
import type { ConversationRecord, ListFilter } from './ports.ts';

/** Where the view was taken. */
export interface ViewPlace {
  /** The number of the last commit. */
  readonly revision: number;
  readonly retained: Cursor;
  readonly head: Cursor;
}

/** The view of a conversation. `plan` is the run's, for its limits; `null` when there is none at hand. */
export function viewOf(
  record: ConversationRecord,
  state: State,
  plan: Plan | null,
  at: ViewPlace,
): ConversationView {
  const { machine, ledgers } = state;
  const run = machine.run?.status === 'active' ? machine.run : null;
  return {
    id: record.id,
    title: record.title,
    scope: record.scope,
    bot: record.bot,
    ...(record.model === undefined ? {} : { model: record.model }),
    isDefault: record.default,
    pinned: record.pinned,
    revision: at.revision,
    state: stateOf(state),
    run: run && { id: run.id, plan: run.plan, nodes: nodesOf(run) },
    turn: turnOf(state),
    pauses: machine.pauses.map(shortened),
    queue: state.inbox.map(({ id, text, delivery }) => ({ message: id, head: beginning(text), delivery })),
    ...deliveredIn(state),
    artifacts: artifactsOf(state),
    budget: { burst: ledgers.burst, lifetime: ledgers.lifetime, limits: limitsOf(plan, state) },
    session: machine.session,
    ...watchedOf(state),
    ...(state.rules.length === 0 ? {} : { rules: state.rules.map(rule => ({ ...rule })) }),
    retained: at.retained,
    head: at.head,
  };
}

/** The versions that count now, or counted last. */
function artifactsOf({ machine }: State): ConversationView['artifacts'] {
  return Object.values(machine.run?.documents ?? {}).flatMap(({ current, status }) =>
    current === null ? [] : [{ ref: current, status }],
  );
}

/** Where the run stands: at a router whose branches are under way, that is where those are. */
function nodesOf({ tokens }: RunState): string[] {
  return [...new Set(tokens.filter(({ stage }) => stage.is !== 'forked').map(token => token.node))];
}

/** `waiting` before `working`: what a person owes an answer to comes first. */
export function stateOf(state: State): ConversationState {
  if (state.machine.pauses.some(pause => owes(pause) && !isDrafting(pause))) return 'waiting';
  return quiescent(state) ? 'idle' : 'working';
}

/** The view while nothing can be saved: what seems to be at work has been stopped. */
export function stopped(view: ConversationView, { code, message }: LaneError): ConversationView {
  const { state, turn } = view;
  return {
    ...view,
    state: state === 'working' ? 'idle' : state,
    turn: turn?.status === 'running' ? { ...turn, status: 'waiting' } : turn,
    trouble: { code, detail: message },
  };
}

/** The row of the list. `updatedAt` is the time of the last event. */
export function rowOf(view: ConversationView, updatedAt: string): ConversationRow {
  const { id, title, isDefault, pinned, state, scope, bot } = view;
  return { id, title, isDefault, pinned, state, scope, bot, updatedAt };
}

/** The same row without the rest of the view, which costs more the more there is to show. */
export function rowFrom(record: ConversationRecord, state: State, updatedAt: string): ConversationRow {
  const { id, title, default: isDefault, pinned, scope, bot } = record;
  return { id, title, isDefault, pinned, state: stateOf(state), scope, bot, updatedAt };
}

/** Whether a row is one that the filter asks for. The text is looked for in the title, whatever its case. */
export function matches(row: ConversationRow, filter: ListFilter): boolean {
  const { scope, state, text } = filter;
  if (state !== undefined && row.state !== state) return false;
  if (text !== undefined && !row.title.toLowerCase().includes(text.toLowerCase())) return false;
  if (scope === undefined) return true;
  if (scope.kind === 'global') return row.scope.kind === 'global';
  return row.scope.kind === 'workspace' && row.scope.path === scope.path;
}

/** What is known of the watched tickets; one that nobody has looked for yet may be none. */
function watchedOf({ watched }: State): Pick<ConversationView, 'watched'> {
  const known = watched.flatMap(({ ticket, title, state, workspace }) =>
    title === null || state === null
      ? []
      : [{ ticket, title, state, ...(workspace === null ? {} : { workspace }) }],
  );
  return known.length === 0 ? {} : { watched: known };
}

function deliveredIn({ machine }: State): Pick<ConversationView, 'delivered'> {
  const delivered = (machine.run?.tokens ?? []).flatMap(({ stage }) =>
    stage.is === 'running' ? stage.taken.filter(message => !stage.seen.includes(message.id)) : [],
  );
  if (delivered.length === 0) return {};
  return { delivered: delivered.map(({ id, text }) => ({ message: id, head: beginning(text) })) };
}

/** The turn under way, else the first that waits in the queue. */
function turnOf({ machine, inbox }: State): ConversationView['turn'] {
  if (machine.turn) {
    const { id, status, startedAt, spend } = machine.turn;
    return { id, status, startedAt, activeMs: spend.activeMs };
  }
  const [first] = inbox;
  return first ? { id: first.turn, status: 'queued', startedAt: first.at, activeMs: 0 } : null;
}

function limitsOf(plan: Plan | null, { ledgers }: State): ConversationView['budget']['limits'] {
  if (plan === null) return {};
  return Object.fromEntries(
    AXES.flatMap(axis => {
      const burst = limitOf(plan, ledgers, 'burst', axis);
      const lifetime = limitOf(plan, ledgers, 'lifetime', axis);
      if (burst === undefined && lifetime === undefined) return [];
      const limits = {
        ...(burst === undefined ? {} : { burst }),
        ...(lifetime === undefined ? {} : { lifetime }),
      };
      return [[axis, limits]];
    }),
  );
}

function shortened(pause: Pause): Pause {
  return typeof pause.text === 'string' ? { ...pause, text: textOf(pause.text) } : pause;
}

/** At most `HEAD_LIMIT` bytes, cut between characters. */
function beginning(text: string): string {
  const whole = textOf(text);
  if (typeof whole !== 'string') return headOf(whole);
  if (Buffer.byteLength(whole) <= HEAD_LIMIT) return whole;
  return new TextDecoder().decode(Buffer.from(whole).subarray(0, HEAD_LIMIT)).replace(/\uFFFD+$/u, '');
}
