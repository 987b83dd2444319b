/** Runs pieces of work one after another, in the order in which they were handed in; a failure stops none after it. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does, which starts when everything handed in before has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
