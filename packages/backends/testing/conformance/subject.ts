import type { Backend } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { SimClock } from '@hearth/store/sim-clock.ts';

/*
 * What the conformance kit asks of whoever brings a backend to it: a stage on which the provider behind the backend does
 * what the kit says, and a look at what that provider was told.
 */

/** What the model behind the backend does in one step. */
export type Play =
  /** Ends the turn with an envelope whose reply this is. */
  | { readonly is: 'answers'; readonly reply: string }
  /** Ends the turn with something that fits no schema. */
  | { readonly is: 'misfits' }
  /** Calls tools by Hearth's names, with words before them. */
  | { readonly is: 'calls'; readonly calls: readonly PlayCall[]; readonly text?: string }
  /** Writes these words, then waits before it goes on to call `list_issues`. */
  | { readonly is: 'holds'; readonly text: string; readonly until: Promise<unknown> }
  /** Fails. `times`: for every request until the next play that does not fail. */
  | { readonly is: 'fails'; readonly how: ProviderFault };

export interface PlayCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** How a provider fails. */
export type ProviderFault =
  | 'refuses the key'
  | 'has no quota left'
  | 'is overloaded'
  | 'cuts the stream'
  | 'speaks another protocol'
  | 'finds the conversation too long'
  | 'does not know the model'
  | 'says nothing';

/** What happens in a turn, by name, for backends that cannot be told step by step. */
export type Scene =
  | 'answers'
  | 'calls a tool'
  | 'calls two tools'
  | 'calls what it was not granted'
  | 'asks'
  | 'asks twice'
  | 'works while it is spoken to'
  | 'writes while it is spoken to'
  | 'misfits'
  | 'misfits for good'
  | `fails: ${ProviderFault}`;

/** A backend with everything around it. */
export interface Stage {
  /** The backend as it is now; another one after a restart. */
  readonly backend: Backend;
  readonly directory: string;
  readonly workspace: string | null;
  /** The backend's time. It stands still unless the kit lets it pass. */
  readonly clock: SimClock;
  /** Arranges the next turn; gives what the person says in it, or `null` when this backend can never do it. */
  arrange(scene: Scene, plays: readonly Play[]): string | null;
  /** What Hearth's tools answer. */
  tool(call: ToolCall): ToolResult;
  /** Every request that the provider got so far, as text; `null` when there is no provider. */
  heard(): readonly string[] | null;
  /** What is wrong with the requests so far: calls without results and the like. */
  problems(): readonly string[];
  /** A new backend on the same files, as after a restart of the service. */
  restart(): Promise<void>;
  /** Takes the files of every session away. */
  loseSessions(): Promise<void>;
  /** Kills whatever works for the backend in processes of its own; `null` when it is in this process. */
  readonly kill: (() => void) | null;
  /** Processes that still work for the backend. */
  processes(): number;
  close(): Promise<void>;
}

export interface Subject {
  readonly name: string;
  open(): Promise<Stage>;
  /** How many events at which it is killed; every one when absent. */
  readonly deaths?: number;
}
