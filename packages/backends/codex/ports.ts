import type { Clock } from '@hearth/store/clock.ts';
import type { Patience } from '../agent-programs/agent-program.ts';

/** Environment variables, those of the service. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the codex backend needs. */
export interface CodexPorts {
  readonly clock: Clock;
  readonly env: Environment;
  /** How long the program may take to leave; tests are less patient. */
  readonly patience?: Patience;
}
