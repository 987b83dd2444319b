import type { Clock } from '@hearth/store/clock.ts';
import type { Patience } from '../agent-programs/agent-program.ts';

/** Environment variables, those of the service. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the acp backend needs. `HEARTH_ACP` in its environment is the command that starts the agent. */
export interface AcpPorts {
  readonly clock: Clock;
  readonly env: Environment;
  /** How long the agent may take to leave; tests are less patient. */
  readonly patience?: Patience;
}
