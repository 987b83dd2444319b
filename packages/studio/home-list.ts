import type { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import { SILENCE } from '@hearth/client/stream.ts';
import { rest } from '@hearth/client/timers.ts';
import { HomeFrame } from '@hearth/protocol/frame.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';

/*
 * The list of conversations, kept up to date by the home's stream. A browser opens only six connections to one service
 * for all its tabs together, so one tab listens for all of them and tells the others; when it is closed, another one
 * takes over.
 */

/** Milliseconds before a stream that ended is opened again. */
const AGAIN = 1500;
/** Milliseconds between two readings of the list, however often it changes. */
const CALM = 250;
const CHANNEL = 'hearth-list';

/** Who hears of the rows. */
export interface HomeListOptions {
  readonly client: HearthClient;
  readonly onRows: (rows: readonly ConversationRow[]) => void;
  /** The session has ended. */
  readonly onSignedOut: (why: string) => void;
}

/** The list as one tab knows it. */
export class HomeList {
  readonly #options: HomeListOptions;
  readonly #channel = new BroadcastChannel(CHANNEL);
  #reading: Promise<void> | null = null;
  #again = false;

  constructor(options: HomeListOptions) {
    this.#options = options;
  }

  /** Keeps the list up to date until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#channel.onmessage = () => this.refresh();
    signal.addEventListener('abort', () => this.#channel.close(), { once: true });
    this.refresh();
    navigator.locks
      .request(CHANNEL, { signal }, () => this.#listen(signal))
      .catch(() => {
        // The page is leaving.
      });
  }

  /** Reads the list again, soon. */
  refresh(): void {
    if (this.#reading !== null) {
      this.#again = true;
      return;
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = null;
      const again = this.#again;
      this.#again = false;
      if (again) this.refresh();
    });
  }

  async #read(): Promise<void> {
    const { client, onRows, onSignedOut } = this.#options;
    try {
      onRows((await client.list()).conversations);
    } catch (error) {
      const problem = asProblem(error);
      // Anything else is over when the stream is back, which reads the list again.
      if (problem.status === 401) onSignedOut(problem.detail);
    }
    await rest(client.timers, CALM);
  }

  /** Listens for all tabs. */
  async #listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#connection(signal);
      await rest(this.#options.client.timers, AGAIN, signal);
    }
  }

  #connection(signal: AbortSignal): Promise<void> {
    const { timers } = this.#options.client;
    return new Promise(resolve => {
      const source = new EventSource('/v1/stream');
      let unwatch = (): void => {};
      const end = (): void => {
        unwatch();
        source.close();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const heard = (): void => {
        unwatch();
        unwatch = timers.after(SILENCE, end);
      };
      const changed = (): void => {
        heard();
        this.#channel.postMessage(null);
        this.refresh();
      };
      heard();
      source.onopen = changed;
      source.onmessage = (event: MessageEvent<string>) => {
        if (isHeartbeat(event.data)) heard();
        else changed();
      };
      source.onerror = end;
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

function isHeartbeat(data: string): boolean {
  try {
    const frame = HomeFrame.safeParse(JSON.parse(data));
    return frame.success && frame.data.frame === 'heartbeat';
  } catch {
    return false;
  }
}
