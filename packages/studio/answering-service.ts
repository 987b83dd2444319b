import type { HearthClient } from '@hearth/client/http.ts';
import type { Sheet } from './sheet.ts';
import { updateOf } from './words.ts';

/** The service that answers, asked anew whenever it answers again, since it may be another one then. */
export class AnsweringService {
  readonly #client: HearthClient;
  /** The version that this page came from. */
  #served: string | null = null;

  constructor(client: HearthClient) {
    this.#client = client;
  }

  /** Its backend, and what to say when it is of another version than this page; `null` while nobody answers. */
  async look(): Promise<{ readonly backend: Sheet['backend']; readonly update: string | null } | null> {
    try {
      const { backend, version } = await this.#client.status();
      this.#served ??= version;
      return { backend, update: updateOf(this.#served, version) };
    } catch {
      // The session's backend is named as soon as there is one.
      return null;
    }
  }
}
