import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Values } from '@hearth/language/value.ts';
import type { EffectId, TurnId } from '@hearth/protocol/ids.ts';
import type { AttachedFile } from './attached-files.ts';
import type { Recap } from './backend.ts';
import type { EntryBody } from './entry.ts';
import type { Plan } from './runnable.ts';
import type { State } from './state.ts';

/**
 * What `Run` needs of whoever keeps a conversation's truth (the lane). `commit` applies the entries in order to the
 * state, writes them with the events that follow from them and with `events`, and resolves when all of it is durable;
 * it rejects when the write failed, and then the run must stop at once, since nothing later can be trusted. What
 * `follow` makes of the state after them is part of the same commit, again and again until it makes nothing.
 */
export interface Drive {
  readonly plan: Plan;
  readonly state: State;
  commit(
    entries: readonly EntryBody[],
    events?: readonly EventBody[],
    follow?: (state: State) => readonly EntryBody[],
  ): Promise<void>;
  /** Whether the truth could not be written; whatever still runs must stop. */
  broken(): boolean;
  /** Streaming text, volatile. */
  draft(draft: { turn: TurnId; node: string; sequence: number; text: string }): void;
  /** The latest turns of the transcript, for a session that must be reseeded. */
  recap(): Promise<Recap>;
  /** Makes a copy of each file where programs and agents can read it; gives them with its path. Rejects when one is lost. */
  attached(files: readonly AttachedFile[]): Promise<readonly AttachedFile[]>;
  /** A version of an artifact as it is stored; `null` when there is none, or it cannot be read. */
  artifact(name: string, version: number): Promise<ArtifactVersion | null>;
  /** Notes what an effect handed in that nobody waits for any more; nothing of it is taken. */
  discarded(late: { readonly effect: EffectId; readonly node: string; readonly output: Values }): void;
  /** The directory that belongs to a node's backend, created. */
  directory(node: string): Promise<string>;
}
