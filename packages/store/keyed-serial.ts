/** Runs pieces of work under the same key one after another, and those of different keys side by side. */
export class KeyedSerial<K> {
  readonly #under = new Map<K, Promise<unknown>>();

  /** Resolves or rejects as `work` does, which starts when everything handed in before under that key has ended. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const before = this.#under.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#under.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#under.get(key) === mine) this.#under.delete(key);
    }
  }
}
