import type { Models } from './models.ts';
import type { BundleBots } from './bots.ts';
import type { Boards } from '@hearth/board/boards.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import type { ServiceFile, ServiceStatus } from '@hearth/protocol/status.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Described } from './api/description.ts';
import { Gate } from './auth.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createApp } from './http.ts';
import { lastPort, rememberPort } from './last-port.ts';
import { type Answer, type Listener, listen } from './listener.ts';
import type { Log } from './log.ts';
import { Logins } from './login.ts';
import { Once } from './once.ts';
import { openRoutes, routes } from './routes.ts';
import type { PresenceLog } from './presence.ts';
import type { Quiet } from './quiet.ts';
import type { Redactor } from './secrets.ts';
import { publishedService, publishService, withdrawService } from './service-file.ts';
import { RateLimit, RateLimits } from './rate-limit.ts';
import { Streams } from './sse.ts';
import { rotateToken } from './token.ts';
import { Studio } from './studio.ts';
import { VERSION } from './version.ts';

/*
 * A running service: its doors and its end. Guarantees: whoever finds `service.json` finds a service that answers, since
 * it is written last and taken back first; a stop loses nothing that was accepted.
 */

/** How long requests that are being answered may delay a stop, in milliseconds. */
const GRACE_MS = 2000;
/** How often a code of a login may be wrong. */
const ATTEMPTS = { burst: 10, everyMs: 6000 };
/** What one connection may ask: far more than a surface does, and less than what would starve the others. */
const REQUESTS = { burst: 5000, everyMs: 0.5 };

/** What a service is made of, opened already; it closes all of them in the end. */
export interface ServiceParts {
  readonly home: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversations: Conversations;
  readonly presence: PresenceLog;
  readonly quiet: Quiet;
  readonly redactor: Redactor;
  /** Begins no more work when a stop begins. */
  readonly dispatcher: Dispatcher;
  /** What works in conversations by itself and ends before they do. */
  readonly before: { close(): Promise<void> };
  /** What was made beside the conversations and ends with the service. */
  readonly beside: { close(): Promise<void> };
  readonly settleMs: number;
  readonly release: () => void;
}

/** What is reached from outside through the routes. */
export interface Doors {
  readonly token: string;
  readonly boards: Boards;
  readonly bots: BundleBots;
  readonly models: Models;
}

/** A service that runs. Made by `startService`. */
export class Service {
  /** Resolves when the service has stopped and the home is free. */
  readonly closed: Promise<void>;
  readonly #parts: ServiceParts;
  readonly #streams: Streams;
  readonly #startedAt: string;
  readonly #resolveClosed: () => void;
  #listener: Listener | null = null;
  #gate: Gate | null = null;
  #stopping: Promise<void> | null = null;
  readonly #hurry = new AbortController();
  #published: ServiceFile | null = null;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.#streams = new Streams(parts.clock);
    this.#startedAt = instant(parts.clock);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#resolveClosed = resolve;
  }

  /** As in `http://127.0.0.1:4310`. */
  get address(): string {
    return this.#listener?.address ?? '';
  }

  /** Listens, then publishes the address. Called once by `startService`. */
  async open(port: number | null, doors: Doors): Promise<void> {
    const { home, disk, clock, log, conversations } = this.#parts;
    const { token, boards, bots } = doors;
    const logins = new Logins(token, clock);
    const studio = new Studio();
    const doorway = { logins, attempts: new RateLimit(clock, ATTEMPTS) };
    let description: Described | null = null;
    const table = routes({
      home,
      disk,
      conversations,
      boards,
      bots,
      streams: this.#streams,
      presence: this.#parts.presence,
      dispatcher: this.#parts.dispatcher,
      once: new Once(conversations.receipts, clock),
      logins,
      models: doors.models,
      redactor: this.#parts.redactor,
      prepareStudio: () => studio.prepare(),
      status: () => this.#status(doors),
      // Made when it is first asked for, and not for every start.
      description: async () => {
        const { describe } = await import('./api/description.ts');
        return (description ??= describe(table, openRoutes(doorway)));
      },
      stop: now => void this.stop({ now }),
      rotate: () => this.#rotate(logins),
    });
    const answerAt = (bound: number): Answer => {
      const gate = new Gate(token, bound, logins);
      this.#gate = gate;
      const app = createApp({
        routes: table,
        open: openRoutes(doorway),
        page: path => studio.answer(path),
        gate,
        rates: new RateLimits(clock, REQUESTS),
        log,
        redactor: this.#parts.redactor,
        stopping: () => this.#stopping !== null,
      });
      return (request, way) => this.#parts.quiet.during(() => app.fetch(request, { ...way }));
    };
    const listener = await (port === null ? this.#listenAgain(answerAt) : listen(port, answerAt));
    this.#listener = listener;
    try {
      // Whoever cannot listen has not begun any work.
      await conversations.resume();
      this.#published = {
        pid: process.pid,
        startedAt: this.#startedAt,
        address: listener.address,
        version: VERSION,
        start: `${process.execPath} ${process.argv[1] ?? ''}`.trim(),
      };
      await publishService(disk, home, this.#published);
    } catch (error) {
      listener.cut();
      await listener.close();
      throw error;
    }
    await rememberPort(disk, home, listener.port);
    log.write('started', { pid: process.pid, port: listener.port, version: VERSION });
  }

  /** Listens where the last service of this home did, if that port is free. */
  async #listenAgain(answerAt: (port: number) => Answer): Promise<Listener> {
    const last = await lastPort(this.#parts.disk, this.#parts.home);
    if (last === null) return listen(0, answerAt);
    return listen(last, answerAt).catch(() => listen(0, answerAt));
  }

  /**
   * Stops cleanly: nothing more is accepted, turns under way get their time to settle, and those that do not are parked;
   * they wait for a person at the next start. A second call waits for the first; `now` ends the wait for turns.
   */
  stop({ now = false }: { readonly now?: boolean } = {}): Promise<void> {
    if (now) this.#hurry.abort();
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { home, disk, clock, log, conversations, presence, dispatcher, before, beside, release } =
      this.#parts;
    const listener = this.#listener;
    log.write('stopping');
    await withdrawService(disk, home).catch(() => undefined);
    await dispatcher.close().catch(() => undefined);
    await this.#settle();
    const gone = listener?.close();
    this.#streams.end();
    listener?.closeIdle();
    const cancelCut = clock.after(GRACE_MS, () => listener?.cut());
    try {
      await before.close();
      await presence.close();
      await conversations.closeAll();
      await gone;
    } finally {
      await beside.close().catch(() => undefined);
      cancelCut();
      log.write('stopped');
      await log.close();
      release();
      this.#resolveClosed();
    }
  }

  /** Whoever is attached still sees how the turns end that do so in time. */
  async #settle(): Promise<void> {
    const { clock, conversations, settleMs } = this.#parts;
    const { signal } = this.#hurry;
    if (settleMs === 0 || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(settleMs, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await Promise.race([promise, conversations.settled().catch(() => undefined)]);
    cancel();
  }

  /** The file first: a stop in between leaves a home whose token works at the next start. */
  async #rotate(logins: Logins): Promise<void> {
    const { disk, home, log, redactor } = this.#parts;
    const token = await rotateToken(disk, home);
    redactor.add(token);
    this.#gate?.admit(token);
    logins.admit(token);
    this.#streams.drop();
    log.write('token_rotated');
  }

  /** Somebody may have taken the file away; whoever asks how the service is then puts it back. */
  async #publishAgain(): Promise<void> {
    const { disk, home } = this.#parts;
    const file = this.#published;
    if (file === null || this.#stopping !== null) return;
    if ((await publishedService(disk, home)) === null) await publishService(disk, home, file);
  }

  async #status({ models }: Doors): Promise<ServiceStatus> {
    await this.#publishAgain().catch(() => undefined);
    const { rows } = await this.#parts.conversations.list({});
    return {
      version: VERSION,
      pid: process.pid,
      home: this.#parts.home,
      startedAt: this.#startedAt,
      address: this.address,
      conversations: rows.length,
      working: rows.filter(row => row.state === 'working').length,
      waiting: rows.filter(row => row.state === 'waiting').length,
      backend: await models.chosen(),
    };
  }
}
