import type { Patience } from '../agent-programs/agent-program.ts';
import type { Clock } from '@hearth/store/clock.ts';

/** Environment variables, those of the service. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the claude-code backend needs. */
export interface ClaudeCodePorts {
  readonly clock: Clock;
  readonly env: Environment;
  /** How long the program may take to leave; tests are less patient. */
  readonly patience?: Patience;
}
