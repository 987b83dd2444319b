import type { HearthClient } from './http.ts';
import { asProblem, type HearthProblem } from './problem.ts';

/*
 * The client of a service that may die and be found again, maybe elsewhere: every call goes through it, and is made once
 * more when the service had to be found.
 */

/** How the service is found: for whoever only looks, or for what a person does. */
export type Finding = 'reconnect' | 'start';

/** The first client, and how another is found when that does not answer. */
export interface FinderOptions {
  readonly client: HearthClient;
  /**
   * Finds the service again, and starts it again when it died. Rejects with `stopped` when somebody stopped it: then
   * whoever only looks waits until it runs again.
   */
  readonly reconnect?: () => Promise<HearthClient>;
  /** Finds the service or starts it, whatever ended it; for what a person does. As `reconnect` when absent. */
  readonly start?: () => Promise<HearthClient>;
}

/** Holds the client that answered last. However many calls fail at once, one search is made. */
export class Finder {
  readonly #options: FinderOptions;
  #client: HearthClient;
  readonly #finding: Record<Finding, Promise<HearthClient> | null> = { reconnect: null, start: null };

  constructor(options: FinderOptions) {
    this.#options = options;
    this.#client = options.client;
  }

  get client(): HearthClient {
    return this.#client;
  }

  /** Finds the service; several who ask at once for the same get the same one. */
  find(how: Finding): Promise<HearthClient> {
    const { reconnect, start = reconnect } = this.#options;
    const find = how === 'start' ? start : reconnect;
    if (find === undefined) return Promise.resolve(this.#client);
    const finding = (this.#finding[how] ??= find()
      .then(client => (this.#client = client))
      .finally(() => {
        this.#finding[how] = null;
      }));
    return finding;
  }

  /**
   * Calls the service, and once more when it had to be found again. One that is known to be `stopped` need not be waited
   * for before it is started. Rejects with a `HearthProblem`.
   */
  async call<T>(how: Finding, isStopped: boolean, make: (client: HearthClient) => Promise<T>): Promise<T> {
    if (how === 'start' && isStopped) await this.#found(how, null);
    try {
      return await make(this.#client);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code !== 'unreachable' || this.#options.reconnect === undefined) throw problem;
      const client = await this.#found(how, problem);
      return make(client).catch((again: unknown) => Promise.reject(asProblem(again)));
    }
  }

  /** Finds the service, or rejects with the reason why not: `problem`, unless there is a better one. */
  async #found(how: Finding, problem: HearthProblem | null): Promise<HearthClient> {
    try {
      return await this.find(how);
    } catch (error) {
      const why = asProblem(error);
      throw problem === null || why.code === 'stopped' ? why : problem;
    }
  }
}
