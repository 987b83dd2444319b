import type { BackendStep } from './recording.ts';

/*
 * The backend's part of a recording while it is played: what each effect still has to do, released step by step by
 * whoever plays the person's part, so that both keep the order in which they were recorded.
 */

/** Why a play cannot go on. */
export class ReplayMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReplayMismatch';
  }
}

/** One effect: steps that were released and not yet played, and who waits for what. */
export class Part {
  readonly node: string;
  readonly #released: BackendStep[] = [];
  #wake: (() => void) | null = null;
  #asked: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(node: string) {
    this.node = node;
  }

  /** Lets one step be played; resolves when the engine has taken it and asks for the next, or has its outcome. */
  async release(step: BackendStep): Promise<void> {
    // The engine asks for the first step by itself.
    await this.#asked.promise;
    this.#asked = Promise.withResolvers();
    this.#released.push(step);
    this.#wake?.();
    if (step.is !== 'outcome') await this.#asked.promise;
  }

  /** The next step; waits until it is released. `null` when the wait was ended. */
  async next(stop: Promise<void>): Promise<BackendStep | null> {
    this.#asked.resolve();
    for (;;) {
      const step = this.#released.shift();
      if (step !== undefined) return step;
      const woken = Promise.withResolvers<'woken'>();
      this.#wake = () => woken.resolve('woken');
      if ((await Promise.race([woken.promise, stop])) !== 'woken') return null;
    }
  }
}

/** All effects of a play, in the order in which each node runs. */
export class Score {
  readonly #waiting = new Map<string, Part[]>();
  readonly #started = new Map<string, PromiseWithResolvers<Part>[]>();

  /** The part of a node's next effect, for the backend that begins it. */
  begin(node: string): Part {
    const part = new Part(node);
    const [expected, ...rest] = this.#started.get(node) ?? [];
    if (expected === undefined) this.#waiting.set(node, [...(this.#waiting.get(node) ?? []), part]);
    else {
      this.#started.set(node, rest);
      expected.resolve(part);
    }
    return part;
  }

  /** Resolves when the engine has started the node's next effect. */
  started(node: string): Promise<Part> {
    const [part, ...rest] = this.#waiting.get(node) ?? [];
    if (part !== undefined) {
      this.#waiting.set(node, rest);
      return Promise.resolve(part);
    }
    const expected = Promise.withResolvers<Part>();
    this.#started.set(node, [...(this.#started.get(node) ?? []), expected]);
    return expected.promise;
  }
}
