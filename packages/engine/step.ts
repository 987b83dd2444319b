import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { State } from './state.ts';

/** A transcript line before the lane has stamped it with its time and sequence number. */
export type Words = TranscriptLine extends infer Line
  ? Line extends unknown
    ? Omit<Line, 'seq' | 'at'>
    : never
  : never;

/**
 * What applying one entry leads to: the next state, and what is to be told of it. Events and words follow from the
 * entry and the state alone, so a replay of the journal would tell the same story.
 */
export interface Step {
  readonly state: State;
  readonly events: readonly EventBody[];
  readonly words: readonly Words[];
  /** Texts longer than `TEXT_LIMIT` to which the events and words refer by digest; written before the commit. */
  readonly blobs: readonly string[];
  /** Versions of artifacts to which the events refer; written before the commit, each once and for good. */
  readonly versions: readonly ArtifactVersion[];
}
