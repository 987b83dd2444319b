import type { EffectId, Instant, MessageId, PauseId } from '@hearth/protocol/ids.ts';
import type { Option } from '@hearth/protocol/pause.ts';
import type { Answer, Ask } from './backend.ts';
import type { SessionRef } from './state.ts';

/* What the state of a run keeps of questions that a model answers, or that nobody waits for. */

/** What an agent's step asked and a model is to answer, and the step itself, which goes on with the answers. */
export interface Asking {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly session: SessionRef | null;
  readonly asks: readonly Ask[];
  /** How often in a row a model has answered before. */
  readonly modelAnswers: number;
  readonly wait?: Wait;
}

/** A wait of an agent for questions that it asked and did not wait for. */
export interface Wait {
  /** The backend's own tool call, to be answered when the agent goes on. */
  readonly call: string;
  readonly questions: readonly PauseId[];
  /** It ends then at the latest; absent: only with the last answer. */
  readonly until?: Instant;
  readonly late?: true;
}

/** A question that nobody waits for, until its answer has been told to the agent that asked. */
export interface AsyncQuestion {
  readonly pause: PauseId;
  /** Under which the answer joins the agent's session. */
  readonly line: MessageId;
  readonly node: string;
  readonly branch: string | null;
  readonly text: string;
  readonly options: readonly Option[];
  result: Answer | 'cancelled' | null;
  /** The effect that is being told the answer, in a line or as the result of a wait; `null`: none. */
  told: { readonly effect: EffectId; readonly by: 'line' | 'result' } | null;
}
