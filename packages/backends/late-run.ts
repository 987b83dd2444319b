import type { BackendEvent, BackendRun } from '@hearth/engine/backend.ts';

/**
 * What runs a backend's turns, loaded with its first turn: a service that starts needs to know what there is and not how
 * it works. From then on runs are made at once.
 */
export class LateRuns<Make extends (...args: never[]) => BackendRun> {
  readonly #load: () => Promise<Make>;
  #loading: Promise<Make> | null = null;
  #make: Make | null = null;

  constructor(load: () => Promise<Make>) {
    this.#load = load;
  }

  start(...args: Parameters<Make>): BackendRun {
    return this.#make === null
      ? new LateRun(this.#loaded().then(make => make(...args)))
      : this.#make(...args);
  }

  async #loaded(): Promise<Make> {
    this.#loading ??= this.#load();
    try {
      this.#make = await this.#loading;
      return this.#make;
    } catch (error) {
      this.#loading = null;
      throw error;
    }
  }
}

/** A run that is on its way. One whose program cannot be loaded has failed before anything began. */
class LateRun implements BackendRun {
  readonly #coming: Promise<BackendRun | null>;

  constructor(coming: Promise<BackendRun>) {
    this.#coming = coming.catch(() => null);
  }

  offer(...offered: Parameters<BackendRun['offer']>): void {
    void this.#coming.then(run => run?.offer(...offered));
  }

  async interrupt(): Promise<void> {
    await (await this.#coming)?.interrupt();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    const run = await this.#coming;
    if (run !== null) yield* run;
    else
      yield {
        type: 'failed',
        code: 'missing',
        message:
          'A part of Hearth could not be loaded: stop the service, see that Hearth is installed whole, and try again.',
        began: false,
      };
  }
}
