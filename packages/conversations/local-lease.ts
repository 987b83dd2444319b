/**
 * The lease of a home: the home's lock already keeps every other process out, so driving is always granted and never
 * lost. The fence still rises, so that an earlier holder inside this process is told apart from a later one.
 */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Lease } from './ports.ts';

/** Grants at once, whoever asks; the fence counts from 1 in each process. */
export class LocalLease implements Lease {
  #fence = 0;

  drive(_c: ConversationId): ReturnType<Lease['drive']> {
    this.#fence += 1;
    return Promise.resolve({
      fence: this.#fence,
      lost: new AbortController().signal,
      release: () => Promise.resolve(),
    });
  }
}
