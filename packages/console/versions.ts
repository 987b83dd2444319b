import { asProblem } from '@hearth/client/problem.ts';
import type { ArtifactAnswer, ArtifactRef } from '@hearth/protocol/artifact.ts';

/** What is at hand of a version of an artifact. */
export type Held =
  | { readonly is: 'here'; readonly version: ArtifactAnswer }
  | { readonly is: 'coming' }
  /** `why` is one sentence. */
  | { readonly is: 'failed'; readonly why: string };

/** Versions that are kept at hand; they never change, so they may be fetched again. */
const KEPT = 40;

/** Bodies of artifacts, which no event carries: each is fetched when it is first drawn. */
export class Versions {
  readonly #fetch: (ref: ArtifactRef) => Promise<ArtifactAnswer>;
  readonly #onArrived: () => void;
  readonly #held = new Map<string, Held>();

  constructor(fetch: (ref: ArtifactRef) => Promise<ArtifactAnswer>, onArrived: () => void) {
    this.#fetch = fetch;
    this.#onArrived = onArrived;
  }

  /** What is at hand of it; what is not is fetched, unless it is only asked whether it is here. */
  readonly held = (ref: ArtifactRef, only = false): Held | null => {
    const known = this.#held.get(keyOf(ref)) ?? null;
    if (known !== null || only) return known;
    void this.#load(ref);
    return { is: 'coming' };
  };

  /** Forgets what could not be fetched, so that it is tried again when it is next drawn. */
  retry(): void {
    for (const [key, held] of this.#held) if (held.is === 'failed') this.#held.delete(key);
  }

  async #load(ref: ArtifactRef): Promise<void> {
    const key = keyOf(ref);
    this.#keep(key, { is: 'coming' });
    try {
      this.#keep(key, { is: 'here', version: await this.#fetch(ref) });
    } catch (error) {
      this.#keep(key, { is: 'failed', why: asProblem(error).detail });
    }
    this.#onArrived();
  }

  #keep(key: string, held: Held): void {
    this.#held.delete(key);
    this.#held.set(key, held);
    const oldest = this.#held.size > KEPT ? this.#held.keys().next().value : undefined;
    if (oldest !== undefined) this.#held.delete(oldest);
  }
}

function keyOf({ artifact, version, digest }: ArtifactRef): string {
  return `${artifact}@${version} ${digest}`;
}
