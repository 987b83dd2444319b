import type { Clock } from '@hearth/store/clock.ts';
import type { Backend, ModelChoice } from './backend.ts';
import type { Bot } from './bot.ts';
import type { Drive } from './drive.ts';
import type { Tool } from './tool.ts';

/** Chooses the backend for an agent node; rejects with a sentence for a person when there is none. */
export type ChooseBackend = (
  wanted: { backend: string | null; model: string | null; provider: string | null; effort: string | null },
) => Promise<{ readonly backend: Backend; readonly model: ModelChoice; readonly why: string }>;

export interface RunOptions {
  readonly drive: Drive;
  readonly bot: Bot;
  readonly choose: ChooseBackend;
  /** Hearth's own tools; a node gets those that its `tools` and `capabilities` allow. */
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  /** Where a turn works when no surface ever named a workspace. */
  readonly fallbackWorkspace: string;
}
