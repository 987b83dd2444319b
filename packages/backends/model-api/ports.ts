import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';

/** Environment variables, those of the service. Keys are read from here and nowhere else. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the model-api backend needs. */
export interface ModelApiPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly env: Environment;
  /** Hearth's own home, absolute and resolved; absent where nothing is kept. */
  readonly home?: string;
  /** The network; the machine's own when absent. */
  readonly fetch?: typeof globalThis.fetch;
}
