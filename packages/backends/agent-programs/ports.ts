import type { Clock } from '@hearth/store/clock.ts';
import type { Patience } from './agent-program.ts';

/** Environment variables, those of the service. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a backend needs that is a program of somebody else's. */
export interface ProgramPorts {
  readonly clock: Clock;
  readonly env: Environment;
  /** How long the program may take to leave; tests are less patient. */
  readonly patience?: Patience;
}
