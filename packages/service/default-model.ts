import type { DefaultModel as DefaultModelFacts } from '@hearth/protocol/models.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Environment } from './choice.ts';
import { writeBotModel, writeModel } from './settings.ts';

/** Leaves the choice open. */
const OPEN = 'auto';

/**
 * The model of bots that leave it open: what `HEARTH_MODEL` of the service's environment names, else what the home's
 * settings name. A change holds from the next turn on, and over a restart.
 */
export class DefaultModel {
  readonly #disk: Disk;
  readonly #home: string;
  readonly #named: string | null;
  #set: string;
  #bots: Readonly<Record<string, string>>;

  /**
   * The service's environment, in which `HEARTH_MODEL` is this model. It is one object for as long as the service runs,
   * so that whoever chooses by it always chooses by the latest.
   */
  readonly env: Environment;

  /** `set` is what the settings of the home say. */
  constructor(
    disk: Disk,
    home: string,
    env: Environment,
    set: string,
    bots: Readonly<Record<string, string>> = {},
  ) {
    this.#bots = bots;
    this.#disk = disk;
    this.#home = home;
    const named = env['HEARTH_MODEL']?.trim() ?? '';
    this.#named = named === '' ? null : named;
    this.#set = set;
    const current = (): string => this.#named ?? this.#set;
    this.env = Object.defineProperty({ ...env }, 'HEARTH_MODEL', { enumerable: true, get: current });
  }

  get facts(): DefaultModelFacts {
    if (this.#named !== null) return { model: this.#named, by: 'environment' };
    return { model: this.#set, by: 'settings' };
  }

  /** What single bots have, by their names. */
  get bots(): Readonly<Record<string, string>> {
    return this.#bots;
  }

  /** Writes that of one bot into the settings; else as `change`. */
  async changeOf(bot: string, model: string): Promise<void> {
    const named = model.trim() === OPEN || model.trim() === '' ? null : model.trim();
    await writeBotModel(this.#disk, this.#home, bot, named);
    const { [bot]: _before, ...others } = this.#bots;
    this.#bots = named === null ? others : { ...others, [bot]: named };
  }

  /** Writes it into the settings; an empty name leaves the choice open. Rejects with `HomeError` or `DiskError`. */
  async change(model: string): Promise<void> {
    const named = model.trim() === '' ? OPEN : model.trim();
    await writeModel(this.#disk, this.#home, named);
    this.#set = named;
  }
}
