/** How many calls that only read run at once; more wait for their turn. */
const AT_ONCE = 8;

interface Waiting {
  readonly reads: boolean;
  start(): void;
}

/**
 * The order in which the calls of one effect run. Those that only read run beside one another. One that may change
 * something runs alone: it begins when all before it have ended, and all after it wait for it, so that what comes of the
 * calls is what would have come of them one after the other.
 */
export class CallOrder {
  readonly #waiting: Waiting[] = [];
  #reading = 0;
  #changing = false;

  /** Does `work` when its turn has come; calls are begun in the order of these requests. Its outcome is that of `work`. */
  run<T>(reads: boolean, work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const start = (): void => {
      if (reads) this.#reading += 1;
      else this.#changing = true;
      resolve(this.#done(reads, work()));
    };
    this.#waiting.push({ reads, start });
    this.#next();
    return promise;
  }

  async #done<T>(reads: boolean, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      if (reads) this.#reading -= 1;
      else this.#changing = false;
      this.#next();
    }
  }

  #next(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined || this.#changing) return;
      if (first.reads ? this.#reading >= AT_ONCE : this.#reading > 0) return;
      this.#waiting.shift();
      first.start();
    }
  }
}
