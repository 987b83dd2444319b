import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { backoff } from './backoff.ts';
import type { CallOptions } from './call-options.ts';
import type { HearthClient } from './http.ts';
import type { PlacedEvent } from './frame.ts';
import { HearthProblem } from './problem.ts';
import type { Link } from './stream.ts';
import { follow } from './stream.ts';
import { rest } from './timers.ts';
import type { Input, Model } from './view.ts';
import { isStale, modelFrom, reduce } from './view.ts';

/*
 * From nothing to a live view model: the state, then the retained log page by page, then the stream from the last event
 * of the last page. The stream resumes exactly there, so nothing is missing at the seam; an event that comes twice is
 * dropped by its number. A cursor that cannot be continued is recovered from wherever it is met, in a page or in the
 * stream: the transcript starts again at the boundary, and the state is the one that the recovery carries. Whoever is
 * told so again and again comes back ever more slowly.
 */

/** Events per page; the service gives at most 500. */
const PAGE = 200;

/** Turns that are read back at a time. */
const TURNS = 20;

/** Milliseconds after which a service that can save nothing is asked again whether it can. */
const LOOK_MS = 5_000;

/** See `HearthClient.history`. */
export type History = (c: ConversationId, before: number, turns: number) => Promise<HistoryPage>;

/** The retained log with the state that was taken before it was read. */
export interface Log {
  readonly view: ConversationView;
  readonly events: readonly PlacedEvent[];
  /** The position before the first of `events`. */
  readonly from: Cursor;
  /** Where to go on. */
  readonly next: Cursor;
}

/** Reads the retained log whole. Rejects with a `HearthProblem`, `unknown_conversation` among them. */
export async function readLog(
  client: HearthClient,
  c: ConversationId,
  options: CallOptions = {},
): Promise<Log> {
  let view = await client.get(c, options);
  let from: Cursor | null = null;
  let after: Cursor | null = null;
  let events: PlacedEvent[] = [];
  for (let expired = 0; ; ) {
    const page = await client.events(c, after, PAGE, options);
    if ('code' in page) {
      if (page.view === null) {
        throw new HearthProblem({ code: page.code, status: 404, detail: `There is no conversation ${c}.` });
      }
      view = page.view;
      from = page.resetCursor;
      after = page.resetCursor;
      events = [];
      // A log that is trimmed faster than it is read must not be asked for in a circle.
      await rest(client.timers, backoff(expired), options.signal);
      options.signal?.throwIfAborted();
      expired += 1;
      continue;
    }
    from ??= page.retained;
    events.push(...page.events);
    after = page.next;
    if (page.events.length === 0 || page.next === page.head) return { view, events, from, next: page.next };
  }
}

/** The model of a conversation as it stands, not yet live. */
export async function hydrate(
  client: HearthClient,
  c: ConversationId,
  options: CallOptions = {},
): Promise<Model> {
  const { view, events, from, next } = await readLog(client, c, options);
  return { ...modelFrom(view, events, from), cursor: next };
}

/** Who hears of changes, and how the service is found again. */
export interface WatchOptions {
  /** Called after every change, with what made it. */
  readonly onChange: (model: Model, input: Input) => void;
  /** Finds the service when it does not answer; see `FollowOptions`. */
  readonly renew?: () => Promise<HearthClient>;
}

/** A live view model: it holds the current one, takes the stream's frames, and those of the surface itself. */
export class Watch {
  #model: Model;
  readonly #options: WatchOptions;
  /** The connections so far. */
  #connected = 0;
  #readingBack: Promise<void> | null = null;

  constructor(model: Model, options: WatchOptions) {
    this.#model = model;
    this.#options = options;
  }

  get model(): Model {
    return this.#model;
  }

  /** Moves the model; `onChange` is called only when something changed. */
  dispatch(input: Input): void {
    const next = reduce(this.#model, input);
    if (next === this.#model) return;
    this.#model = next;
    this.#options.onChange(next, input);
  }

  /**
   * Reads back what lies before what is known: at least one thing that is drawn, or all up to the beginning. Whoever asks
   * while that is being read gets the same. Rejects with a `HearthProblem`.
   */
  readBack(history: History): Promise<void> {
    this.#readingBack ??= this.#readBack(history).finally(() => {
      this.#readingBack = null;
    });
    return this.#readingBack;
  }

  async #readBack(history: History): Promise<void> {
    const { length } = this.#model.past.items;
    for (;;) {
      const { before } = this.#model.past;
      if (before === null) return;
      this.dispatch({ frame: 'past', before, page: await history(this.#model.id, before, TURNS) });
      // A recovery meanwhile has begun the past anew, and the person looks at something else now.
      if (this.#model.past.before === before || this.#model.past.items.length !== length) return;
    }
  }

  /** Follows the conversation until the signal is aborted; rejects as `follow` does. */
  async run(client: HearthClient, signal: AbortSignal): Promise<void> {
    const { renew } = this.#options;
    let current = client;
    await follow(client, this.#model.id, {
      after: this.#model.cursor,
      onFrame: frame => this.dispatch(frame),
      onState: (link: Link) => {
        this.dispatch({ frame: 'link', link });
        if (link.is === 'connected') void this.#look(current, signal);
      },
      signal,
      clock: client.timers,
      ...(renew === undefined ? {} : { renew: async () => (current = await renew()) }),
    });
  }

  /**
   * A connection tells what happens from now on, and not whether anything can be saved: that is asked for when it begins,
   * and then again for as long as nothing can be.
   */
  async #look(client: HearthClient, signal: AbortSignal): Promise<void> {
    const connection = (this.#connected += 1);
    for (;;) {
      const view = await client.get(this.#model.id, { signal }).catch(() => null);
      if (signal.aborted || connection !== this.#connected) return;
      if (view !== null && (view.trouble === undefined) !== (this.#model.trouble === null))
        this.dispatch({ frame: 'view', view });
      if (this.#model.trouble === null || isStale(this.#model)) return;
      await rest(client.timers, LOOK_MS, signal);
    }
  }
}
