import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Environment } from '../choice.ts';
import type { Holding } from '../find.ts';

/** How much a diagnosis matters: nothing is wrong, somebody should know, something does not work. */
export type Severity = 'ok' | 'warning' | 'error';

/** What a check found. */
export interface Diagnosis {
  /** The check's name. */
  readonly check: string;
  readonly severity: Severity;
  /** The file or directory it is about; `null` for none. */
  readonly path: string | null;
  /** One sentence: what is so, and what a person can do where no repair can. */
  readonly what: string;
  /** What a repair does, as in "takes the rights of others away"; `null` when only a person can mend it. */
  readonly repair: string | null;
  /** Does it. */
  readonly mend?: () => Promise<void>;
}

/** What the checks look at. */
export interface Patient {
  /** The home's path; real when it exists. */
  readonly home: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly env: Environment;
  /** Whether a service works in it. */
  readonly holding: Holding;
}

/** One look at a home. It changes nothing; what a repair does is in the diagnosis. */
export type Check = (patient: Patient) => Promise<readonly Diagnosis[]>;

/** The diagnosis that nothing is wrong there. */
export function ok(check: string, what: string): Diagnosis {
  return { check, severity: 'ok', path: null, what, repair: null };
}
