import type { Values } from '@hearth/language/value.ts';
import type { Finding } from '@hearth/protocol/artifact.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type {
  CommandId,
  Digest,
  EffectId,
  Instant,
  MessageId,
  PauseId,
  RunId,
  TurnId,
} from '@hearth/protocol/ids.ts';
import type { Option, Pause } from '@hearth/protocol/pause.ts';
import type { Axis, LedgerName, Spend } from '@hearth/protocol/spend.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Delivery } from '@hearth/protocol/view.ts';
import type { AttachedFile, Attachments } from './attached-files.ts';
import type { Fork, Place } from './place.ts';
import type { PermissionRule } from './permission-rule.ts';
import type { WatchedTicket } from './watched.ts';
import type { Asking, AsyncQuestion, Wait } from './question-state.ts';
import type { Answer } from './backend.ts';
import type { Document } from './document.ts';
import type { Beside } from './beside.ts';

/*
 * The state of one conversation's machine. It is plain JSON, changes only through `apply`, and its size is bounded by
 * the plan and by what is open, never by the number of turns.
 */

/** The last number given out of each kind; ids are made from these, so the machine needs no randomness. */
export interface Counters {
  run: number;
  turn: number;
  pause: number;
  effect: number;
  message: number;
  /** The last version of each artifact. */
  artifacts?: Record<string, number>;
}

/** A message that was accepted and has not yet met a chat pause or a running turn. */
export interface QueuedMessage {
  readonly id: MessageId;
  /** The turn it will start, unless a running one absorbs it. */
  readonly turn: TurnId;
  readonly text: string;
  readonly delivery: Delivery;
  readonly by: Actor;
  readonly at: Instant;
  readonly workspace: string | null;
  readonly commandId: CommandId;
  /** Vars of the run that it begins. */
  readonly vars?: Values;
  /** Files that came with it. */
  readonly files?: readonly AttachedFile[];
  /** Attachments of the run that it begins, by name. */
  readonly attachments?: Attachments;
}

/** Names a backend's own model context. */
export interface SessionRef {
  readonly id: string;
  readonly fingerprint: string;
  /** The session does not know what the one before it knew. */
  readonly degraded?: true;
}

/** A question that an agent's step asked before it parked, and what became of it. */
export interface ParkedAsk {
  readonly pause: PauseId;
  readonly text: string;
  readonly call?: string;
  readonly options: readonly Option[];
  result: Answer | 'cancelled' | null;
  /** It is for leave to make exactly this call. */
  readonly permit?: PermitOf;
}

/** A call that a person was asked about, as far as it must be known again. */
export interface PermitOf {
  readonly tool: string;
  readonly digest: Digest;
}

/** How an agent goes on after a park, a crash or an interrupt. */
export interface Resume {
  /** The session recorded by the broken or parked effect; `null` when none was. */
  readonly session: SessionRef | null;
  readonly answers: readonly {
    readonly ask: string;
    readonly call?: string;
    readonly options: readonly Option[];
    readonly result: Answer | 'cancelled';
    readonly permit?: PermitOf;
    /** Where it was said, of leave for a call. */
    readonly pause?: PauseId;
  }[];
  readonly interrupted?: { readonly effect: EffectId; readonly toolsStarted: readonly string[] };
  /** How often in a row a model has answered this agent; absent: a person did, or nobody was asked. */
  readonly modelAnswers?: number;
  /** The session was too long: the next one is fresh and told the less of what was said, the higher this is. */
  readonly reseed?: number;
}

/** A tool call whose outcome is not recorded yet. */
export interface OpenCall {
  readonly call: string;
  readonly name: string;
  readonly digest: Digest;
  readonly idempotent: boolean;
}

/** How often each failure was tried again by itself since the token arrived or a person decided, by its code. */
export type Tries = Readonly<Record<string, number>>;

/** One person's answer at a node that several people must answer. */
export interface GivenAnswer {
  readonly by: string;
  readonly kind: Actor['kind'];
  readonly fields: Values;
}

/** Where a token stands at its node. */
export type Stage =
  /** An effect may start, from `retryAt` on where it is set. */
  | {
      is: 'ready';
      attempt: number;
      resume: Resume | null;
      joined: readonly QueuedMessage[];
      asking?: Asking;
      retryAt?: Instant;
      tries?: Tries;
      findings?: readonly Finding[];
    }
  /** An effect was intended and has no outcome yet. */
  | {
      is: 'running';
      effect: EffectId;
      attempt: number;
      startedAt: Instant;
      session: SessionRef | null;
      toolsStarted: string[];
      /** Native tools of which it was not heard yet how they ended. */
      native?: readonly { readonly call: string; readonly name: string }[];
      open: OpenCall[];
      /** Words that joined this attempt; they are part of its prompt. */
      joined: readonly QueuedMessage[];
      taken: QueuedMessage[];
      seen: MessageId[];
      interrupted: boolean;
      /** It was stopped for another branch's trouble; what is left of it is set aside and not asked about. */
      cancelled?: true;
      /** The answers with which it was started. */
      answers: Resume['answers'];
      modelAnswers?: number;
      /** It answers this in the person's stead. */
      asking?: Asking;
      tries?: Tries;
      /** It makes a draft again, in which these were found. */
      findings?: readonly Finding[];
      /** It is about to park for this. */
      wait?: Wait;
    }
  /** The agent asked; nothing runs until every blocking ask is answered. */
  | {
      is: 'parked';
      effect: EffectId;
      attempt: number;
      session: SessionRef | null;
      asks: ParkedAsk[];
      wait?: Wait;
    }
  /** Home base: a chat pause is open. */
  | { is: 'home'; pause: PauseId }
  /** An input or recovery pause is open; `again` is what a recovery may take up once more. */
  | {
      is: 'held';
      pause: PauseId;
      again: Again | null;
      /** Who has answered so far, where several people must. */
      answers?: readonly GivenAnswer[];
    }
  /** The token stands at a router and its branches are under way, each with a token of its own. */
  | { is: 'forked'; fork: Fork }
  /** Stopped for another branch's trouble; it goes on when a person has taken that up. */
  | { is: 'aside'; again: Again | null }
  /** The branch has come to where it ends: its meeting or a terminal. It is gone before the entry has been settled. */
  | { is: 'met'; at: string; by: readonly string[] }
  /** The branch failed and goes on no more, since those who meet do without it. Gone like `met`. */
  | { is: 'fallen'; code: string; error: string };

/** What is left of an effect that did not end well, or was not allowed to start. */
export interface Again {
  /** The attempt that taking it up would be. */
  readonly attempt: number;
  readonly resume: Resume | null;
  /** Messages that the effect took and never showed to have seen; given up, they go back to the queue. */
  readonly unseen: readonly QueuedMessage[];
  /** Words that had joined the turn before; they belong to it and are told again. */
  readonly joined: readonly QueuedMessage[];
  readonly asking?: Asking;
}

/** A point of execution. The trunk is one token; branches are further ones. */
export interface Token {
  branch: string | null;
  node: string;
  /** The largest counter among the loops that hold the node. */
  iteration: number;
  /** The node's input, mapped when the token arrived. */
  input: Values;
  stage: Stage;
  /** It works beside the graph, for a card that stays open. */
  beside?: Beside;
  /** What happened at its node, whose edge waits for more rounds of its loop. */
  on?: string;
}

/** How a run came to its end; a failed one also has a code. */
export type RunEnd = 'done' | 'failed' | 'reset' | 'closed';

/** One run of a plan. Whatever is in here is in every snapshot, so every list of it is bounded. */
export interface RunState extends Place {
  readonly id: RunId;
  plan: Digest;
  status: 'active' | 'ended';
  reason: RunEnd | null;
  code: string | null;
  vars: Values;
  /** Files by the names under which the bot declares them. */
  attachments?: Attachments;
  tokens: Token[];
  /** Sessions that the run keeps for nodes with `session: persist`, by slot; bounded by the plan. */
  slots?: Record<string, SessionRef>;
  /** Questions that nobody waits for, oldest first; at most `ASYNC_QUESTIONS`. */
  questions?: AsyncQuestion[];
  /** Artifacts that the plan declares, by name. */
  documents?: Record<string, Document>;
  /** The last chat pause's node and input: where `stop` returns to. */
  home: { node: string; iteration: number; input: Values } | null;
  /** What the epoch had used when the run began. */
  before?: Spend;
  /** By loop: what the epoch had used when its present round began, and whether the burst was refilled since. */
  rounds?: Record<string, { began: Spend; refilled: boolean }>;
  /** The run left a loop for its cost: until the burst ends it may use a little more than its limits, to bring home what it has. */
  grace?: true;
  /** A changed bot's plan in which the run has no place, about which a person is being asked. */
  offered?: Digest;
  /** The last such plan for which a person kept the old one. */
  kept?: Digest;
  /** Who asked that nothing more starts; gone once nothing runs. */
  pausing?: Actor;
  /** Who gave the run up; it ends when its effects have. */
  cancelled?: Actor;
}

/** The turn under way, from its message to the next chat pause. */
export interface TurnState {
  readonly id: TurnId;
  readonly message: MessageId;
  status: 'running' | 'waiting';
  readonly startedAt: Instant;
  readonly workspace: string | null;
  /** The workspace differs from the turn before; the agent is told in one line. */
  readonly moved: boolean;
  /** Files that came with its message. */
  readonly files?: readonly AttachedFile[];
  spend: Spend;
}

/** A pause that closed lately, so that a late decision can be told who closed it. */
export interface ClosedPause {
  readonly pause: PauseId;
  readonly how: 'answered' | 'acted' | 'cancelled' | 'superseded';
  readonly by: Actor;
  readonly at: Instant;
  readonly action?: string;
  readonly option?: string;
  /** What a person read on the action or option, its beginning. */
  readonly label?: string;
}

/** What stands at the moment: the run, its turn, and what waits for a person. */
export interface MachineState {
  run: RunState | null;
  turn: TurnState | null;
  /** Open pauses, oldest first. */
  pauses: Pause[];
  /** The latest closed pauses, at most `CLOSED_KEPT`. */
  closed: ClosedPause[];
  session: { backend: string; degraded: boolean } | null;
  /** The workspace of the last turn. */
  workspace: string | null;
}

/** How many closed pauses are remembered. */
export const CLOSED_KEPT = 64;

/** A limit that a person raised; absolute, in the axis' unit. */
export interface Raised {
  ledger: LedgerName;
  axis: Axis;
  to: number;
}

/** What was used, in this burst and in this epoch, and the limits that a person raised (docs/adr/0005). */
export interface Ledgers {
  burst: Spend;
  lifetime: Spend;
  raised: Raised[];
  /** Axes already warned about in this burst (`burst.cost`) or epoch (`lifetime.cost`). */
  warned: string[];
}

/**
 * All that the fold of a conversation's entries gives, and all that a snapshot holds. It is plain JSON, and only
 * `apply` changes it.
 */
export interface State {
  counters: Counters;
  machine: MachineState;
  inbox: QueuedMessage[];
  /** Tickets that the bot handed over (`dispatched_ids`), the latest last. */
  watched: WatchedTicket[];
  rules: PermissionRule[];
  ledgers: Ledgers;
}

/** The state of a conversation in which nothing has happened. */
export function initialState(counters?: Counters): State {
  return {
    counters: counters ?? { run: 0, turn: 0, pause: 0, effect: 0, message: 0 },
    machine: { run: null, turn: null, pauses: [], closed: [], session: null, workspace: null },
    inbox: [],
    watched: [],
    rules: [],
    ledgers: { burst: { ...NO_SPEND }, lifetime: { ...NO_SPEND }, raised: [], warned: [] },
  };
}
