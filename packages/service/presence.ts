import { join } from 'node:path';
import { type Noted, observe, type PresenceLine, presenceLineIn } from '@hearth/conversations/presence.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import type { HomeFrame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { WaitedFor } from '@hearth/protocol/presence.ts';
import type { ConversationRow, ConversationView } from '@hearth/protocol/view.ts';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { BoundedFile } from './bounded-file.ts';
import { errorFacts, type Log } from './log.ts';
import type { Quiet } from './quiet.ts';

/*
 * How each conversation is, for whoever watches the home, and who has to be called. `presence.jsonl` is the service's own
 * log of it: the last line of each conversation is how it was noted last. Guarantees: a change is noted before anybody is
 * called, so a restart calls nobody twice; what was not noted in time is noted at the next start; the file is bounded by the
 * conversations that there are; nothing that fails here disturbs a conversation.
 */

/** Changes of one conversation within this many milliseconds are one. */
const GATHER_MS = 50;
/** The file is written anew, with the last lines only, when it has grown beyond this and doubled. */
const LIMIT = 256 * 1024;
/** What ends a line. */
const NEWLINE = 10;
/** Conversations that are noted with one sync of the file; a stop waits for no more of those that were not noted before. */
const BATCH = 8;
/** For how long a conversation that is gone is remembered, in milliseconds; nobody brings it back after that. */
const GONE_MS = 30 * 24 * 3_600_000;

/** Whose conversations are watched, and who calls their person. */
export interface PresenceOptions {
  readonly disk: Disk;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversations: Pick<Conversations, 'view' | 'list' | 'watch'>;
  /** When nobody waits for the service. */
  readonly quiet: Pick<Quiet, 'moment'>;
  /** A conversation starts to wait for its person. */
  readonly onCall: (view: ConversationView, what: WaitedFor) => void;
}

/** The presence of one home. */
export class PresenceLog {
  readonly #options: PresenceOptions;
  readonly #path: string;
  readonly #file: BoundedFile;
  readonly #noted = new Map<ConversationId, PresenceLine>();
  readonly #dirty = new Set<ConversationId>();
  readonly #watchers = new Set<(frame: HomeFrame) => void>();
  #unwatch: () => void = () => undefined;
  #cancel: (() => void) | null = null;
  #work: Promise<void> = Promise.resolve();
  #closed = false;
  #bytes = 0;
  /** Bytes at which the file is written anew. */
  #bound = LIMIT;

  private constructor(options: PresenceOptions) {
    this.#options = options;
    this.#path = presencePath(options.home);
    this.#file = new BoundedFile(options.disk, this.#path, Number.POSITIVE_INFINITY, error =>
      options.log.write('presence_failed', errorFacts(error)),
    );
  }

  /** Reads what was noted, and watches from now on. */
  static async open(options: PresenceOptions): Promise<PresenceLog> {
    const presence = new PresenceLog(options);
    await presence.#read().catch((error: unknown) => options.log.write('presence_failed', errorFacts(error)));
    presence.#unwatch = options.conversations.watch(frame => presence.#changed(frame));
    return presence;
  }

  /**
   * Begins to note what changed while nobody watched, once conversations may be opened. A failure is logged; what a stop
   * leaves is noted after the next start.
   */
  async catchUp(): Promise<void> {
    try {
      const { rows } = await this.#options.conversations.list({});
      const here = new Set(rows.map(row => row.id));
      const news = rows.filter(row => isNews(row, this.#noted.get(row.id))).map(row => row.id);
      const gone = [...this.#noted.values()].filter(one => one.is !== 'gone' && !here.has(one.conversation));
      void this.#behind([...news, ...gone.map(one => one.conversation)]);
    } catch (error) {
      this.#options.log.write('presence_failed', errorFacts(error));
    }
  }

  /** Tells of rows that change, appear or leave, and of how conversations are. The result ends it. */
  watch(on: (frame: HomeFrame) => void): () => void {
    const unwatch = this.#options.conversations.watch(on);
    const own = (frame: HomeFrame): void => on(frame);
    this.#watchers.add(own);
    return () => {
      unwatch();
      this.#watchers.delete(own);
    };
  }

  /** Notes what changed; nothing is noted afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unwatch();
    this.#gather();
    await this.#work;
    await this.#file.close();
  }

  #changed(frame: HomeFrame): void {
    if (frame.frame !== 'changed' && frame.frame !== 'removed') return;
    this.#due(frame.conversation);
  }

  #due(c: ConversationId): void {
    this.#dirty.add(c);
    this.#cancel ??= this.#options.clock.after(GATHER_MS, () => this.#gather());
  }

  #gather(): void {
    this.#cancel?.();
    this.#cancel = null;
    const due = [...this.#dirty];
    this.#dirty.clear();
    void this.#noteAll(due);
  }

  /** Notes some after others while nobody waits for the service; what changes meanwhile is noted in between. */
  async #behind(all: readonly ConversationId[]): Promise<void> {
    for (let at = 0; at < all.length; at += BATCH) {
      await this.#options.quiet.moment();
      if (this.#closed) return;
      await this.#noteAll(all.slice(at, at + BATCH));
    }
  }

  #noteAll(due: readonly ConversationId[]): Promise<void> {
    this.#work = this.#work
      .then(async () => {
        const calls: (() => void)[] = [];
        for (const c of due) calls.push(...(await this.#note(c)));
        if (calls.length > 0) await this.#file.sync();
        for (const call of calls) call();
        if (this.#bytes > this.#bound) await this.#rewrite();
      })
      .catch((error: unknown) => this.#options.log.write('presence_failed', errorFacts(error)));
    return this.#work;
  }

  /** Resolves to the call of its person that is due once what was noted is durable. */
  async #note(c: ConversationId): Promise<readonly (() => void)[]> {
    const { conversations, onCall } = this.#options;
    const before = this.#noted.get(c) ?? null;
    const view = await conversations.view(c).catch(() => null);
    if (view === null) {
      // Removed, or it cannot be opened now and will tell when it can.
      if (before !== null && before.is !== 'gone') this.#write(c, { is: 'gone', called: before.called });
      return [];
    }
    const { presence, noted, changed, call } = observe(before, view);
    if (changed) {
      this.#write(c, noted, presence.is === 'waiting_user' ? presence.what.kind : undefined);
      for (const on of this.#watchers) on({ frame: 'presence', conversation: c, presence });
    }
    return call === null ? [] : [() => onCall(view, call)];
  }

  #write(c: ConversationId, noted: Noted, kind?: string): void {
    const at = instant(this.#options.clock);
    const line = { v: 1, at, conversation: c, ...noted, ...(kind === undefined ? {} : { kind }) } as const;
    this.#noted.set(c, line);
    this.#bytes += JSON.stringify(line).length + 1;
    this.#file.write(line);
  }

  async #read(): Promise<void> {
    const { disk } = this.#options;
    const bytes = await disk.read(this.#path);
    if (bytes === null) return;
    for (const text of new TextDecoder().decode(bytes).split('\n')) {
      const line = presenceLineIn(text);
      if (line !== null) this.#noted.set(line.conversation, line);
    }
    this.#bytes = bytes.length;
    // A torn line would swallow the next one.
    if (bytes.at(-1) !== NEWLINE || this.#bytes > this.#bound) await this.#rewrite();
  }

  /** Keeps the last line of each conversation. */
  async #rewrite(): Promise<void> {
    const { disk, clock } = this.#options;
    for (const { conversation, is, at } of this.#noted.values()) {
      if (is === 'gone' && clock.now() - Date.parse(at) > GONE_MS) this.#noted.delete(conversation);
    }
    const kept = [...this.#noted.values()].map(line => `${JSON.stringify(line)}\n`).join('');
    await this.#file.rest();
    await writeAtomic(disk, this.#path, new TextEncoder().encode(kept));
    this.#bytes = kept.length;
    this.#bound = Math.max(LIMIT, 2 * kept.length);
  }
}

/** Where a home's presence is noted. */
export function presencePath(home: string): string {
  return join(home, 'presence.jsonl');
}

const IS: Readonly<Record<ConversationRow['state'], Noted['is']>> = {
  idle: 'idle',
  working: 'working',
  waiting: 'waiting_user',
};

/**
 * Whether a row may tell of something that is not noted. Of one that waits, what it waits for may be another when it was
 * written since; one at rest that nobody noted is no news.
 */
function isNews({ state, updatedAt }: ConversationRow, noted: PresenceLine | undefined): boolean {
  if (noted === undefined) return state !== 'idle';
  return noted.is !== IS[state] || (state === 'waiting' && updatedAt >= noted.at);
}
