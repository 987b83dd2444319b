import type { Values } from '@hearth/language/value.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Decision } from '@hearth/protocol/decision.ts';
import type { Digest, EffectId, Instant, MessageId, RunId, TurnId } from '@hearth/protocol/ids.ts';
import type { PermitCall } from '@hearth/protocol/pause.ts';
import type { Axis, LedgerName, Spend } from '@hearth/protocol/spend.ts';
import type { Ask } from './backend.ts';
import type { Wait } from './question-state.ts';
import type { QueuedMessage } from './state.ts';
import type { TicketLook } from './watched.ts';

/** How an effect ended. */
export type Outcome =
  | { readonly is: 'done'; readonly output: Values }
  | { readonly is: 'parked'; readonly asks: readonly Ask[]; readonly permits: readonly PermitCall[] }
  | { readonly is: 'stopped' }
  | {
      readonly is: 'failed';
      readonly code: string;
      readonly message: string;
      readonly began: boolean;
      /** Milliseconds after which another attempt makes sense, where the provider says so. */
      readonly retryAfterMs?: number;
      /** It fails in the same way until a person mends something, whatever its code says otherwise. */
      readonly lasting?: true;
    };

/** The backend and the model that an outcome came from, and how full the model's context was. */
export interface Made {
  readonly backend: string;
  readonly model: string;
  readonly contextUsed?: number;
  readonly contextWindow?: number;
}

/** What runs: a backend for an agent or a judge, a program for a tool node, nothing for a compute node. */
export type EffectKind = 'agent' | 'tool' | 'compute';

/** The intent to run a node. It is committed before the effect starts. */
export interface Intent {
  readonly id: EffectId;
  readonly branch: string | null;
  readonly node: string;
  readonly kind: EffectKind;
  readonly attempt: number;
  readonly backend: string | null;
}

/** What can happen, without its time. Each is a proposal that `apply` turns into the next state. */
export type EntryBody =
  /** A message was accepted. `plan` is the plan that a run started by it would use. */
  | { readonly is: 'accepted'; readonly message: QueuedMessage; readonly plan: Digest }
  | { readonly is: 'unsent'; readonly message: MessageId; readonly by: Actor }
  | { readonly is: 'decided'; readonly decision: Decision }
  | { readonly is: 'intended'; readonly effect: Intent }
  | {
      readonly is: 'session';
      readonly effect: EffectId;
      readonly id: string;
      readonly fingerprint: string;
      readonly backend: string;
      readonly how: 'opened' | 'resumed' | 'forked' | 'reseeded';
      readonly degraded?: string;
      /** The digest of what the call is told, by which a rebuilt one is known to be the same. */
      readonly projection?: Digest;
    }
  | {
      readonly is: 'called';
      readonly effect: EffectId;
      readonly call: string;
      readonly name: string;
      readonly title: string;
      readonly digest: Digest;
      readonly idempotent: boolean;
    }
  | {
      readonly is: 'returned';
      readonly effect: EffectId;
      readonly call: string;
      readonly digest: Digest;
      readonly failed: boolean;
      readonly detail?: string;
    }
  /** A call is made that a person allowed this once; the leave is used up. */
  | {
      readonly is: 'permitted';
      readonly effect: EffectId;
      readonly call: string;
      readonly tool: string;
      readonly digest: Digest;
    }
  /** A person takes back what was allowed or denied for good. */
  | {
      readonly is: 'revoked';
      readonly rule: string;
      readonly by: Actor;
      /** The bot's plan, to go by where no run has begun. */
      readonly plan: Digest;
    }
  /** An agent asks a person and goes on meanwhile. */
  | { readonly is: 'asked'; readonly effect: EffectId; readonly ask: Ask }
  /** An agent waits for questions of that kind; it parks unless all are answered. */
  | { readonly is: 'awaits'; readonly effect: EffectId; readonly wait: Wait }
  /** The time of a parked agent's wait is up. */
  | { readonly is: 'waited'; readonly effect: EffectId }
  /** A native tool of the backend's own began. */
  | { readonly is: 'began'; readonly effect: EffectId; readonly name: string; readonly call?: string }
  /** It was heard how a native tool ended. */
  | { readonly is: 'ceased'; readonly effect: EffectId; readonly call: string }
  | { readonly is: 'taken'; readonly effect: EffectId; readonly messages: readonly MessageId[] }
  | { readonly is: 'seen'; readonly effect: EffectId; readonly messages: readonly MessageId[] }
  /** A part of the journal could not be read; the conversation opened at the commit before it. */
  | { readonly is: 'damaged'; readonly detail: string }
  | {
      readonly is: 'ended';
      readonly effect: EffectId;
      readonly outcome: Outcome;
      readonly spend: Spend;
      /** What a model's outcome was made with. */
      readonly made?: Made;
    }
  | { readonly is: 'interrupted'; readonly turn: TurnId; readonly by: Actor }
  | {
      readonly is: 'raised';
      readonly ledger: LedgerName;
      readonly axis: Axis;
      readonly to: number;
      readonly by: Actor;
    }
  /** The bot changed so much that the run has no place under its plan. */
  | { readonly is: 'outgrown'; readonly plan: Digest }
  /** A person wants nothing more of the run to start. */
  | { readonly is: 'paused'; readonly run: RunId; readonly by: Actor }
  /** A person lets the run go on, wherever no further choice is theirs. */
  | { readonly is: 'resumed'; readonly run: RunId; readonly by: Actor }
  /** A person gave the run up. */
  | { readonly is: 'cancelled'; readonly run: RunId; readonly by: Actor }
  /** The bot changed: the run goes on under another plan, nodes matched by name. */
  | { readonly is: 'replanned'; readonly plan: Digest }
  /** The board was looked at for the tickets that are watched. */
  | { readonly is: 'looked'; readonly tickets: readonly TicketLook[] }
  /** These effects were cut short and have no outcome: the process died, or what they did could not be saved. */
  | { readonly is: 'restarted'; readonly effects: readonly EffectId[]; readonly why?: 'not_saved' | 'fault' };

/** One entry of a commit. */
export type Entry = { readonly at: Instant } & EntryBody;

/** The entry of one kind. */
export type EntryOf<K extends EntryBody['is']> = { readonly at: Instant } & Extract<
  EntryBody,
  { readonly is: K }
>;
