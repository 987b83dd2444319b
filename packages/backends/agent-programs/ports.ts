import type { Clock } from '@hearth/store/clock.ts';
import type { Patience } from './agent-program.ts';

/** Environment variables, those of the service. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a backend needs that is a program of somebody else's. */
export interface ProgramPorts {
  readonly clock: Clock;
  readonly env: Environment;
  /** Hearth's own home, absolute and resolved, where there is one: a program's own tools are kept from it. */
  readonly home?: string;
  /** How long the program may take to leave; tests are less patient. */
  readonly patience?: Patience;
}
