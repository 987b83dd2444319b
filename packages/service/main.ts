import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceTools } from '@hearth/backends/tools/workspace-tools.ts';
import { Boards } from '@hearth/board/boards.ts';
import { boardTools } from '@hearth/board/tools.ts';
import { HomeStore } from '@hearth/conversations/home-store.ts';
import { LocalLease } from '@hearth/conversations/local-lease.ts';
import { MemoryBus } from '@hearth/conversations/memory-bus.ts';
import { Conversations } from '@hearth/conversations/registry.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { RetentionReport } from '@hearth/protocol/retention.ts';
import type { ServiceFile, ServiceStatus } from '@hearth/protocol/status.ts';
import { type Clock, instant, systemClock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';
import { acquireHomeLock } from '@hearth/store/lock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { Gate } from './auth.ts';
import { BundleBots } from './bots.ts';
import { backendChooser, currentChoice, type Environment, modelsOf, standardBackends } from './choice.ts';
import { prepareHome } from './home.ts';
import { HomeError } from './home-error.ts';
import { createApp } from './http.ts';
import { lastPort, rememberPort } from './last-port.ts';
import { type Answer, type Listener, listen } from './listener.ts';
import { errorFacts, type Facts, fileLog, type Log } from './log.ts';
import { Logins } from './login.ts';
import { openRoutes, routes } from './routes.ts';
import { publishedService, publishService, withdrawService } from './service-file.ts';
import { Once } from './once.ts';
import { readSettings, retentionOf } from './settings.ts';
import { Streams } from './sse.ts';
import { Studio } from './studio.ts';
import { homeToken } from './token.ts';
import { VERSION } from './version.ts';

/*
 * The composition root: the one place that knows which disk, clock and backends there are. Guarantees: at most one
 * service works in a home; whoever finds `service.json` finds a service that answers, since it is written last and
 * taken back first; a stop loses nothing that was accepted.
 */

export interface ServiceOptions {
  /** The home's path; made when it is not there. */
  readonly home: string;
  /** Absent: that of last time if it is free, else any. 0: any. */
  readonly port?: number;
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** In order of preference; those of the installation when absent. */
  readonly backends?: readonly Backend[];
  /** The directory of the bundles that are known by name; the installation's own when absent. */
  readonly bots?: string;
  readonly env: Environment;
  readonly log?: Log;
  /** How long turns under way may take to settle at a stop, in milliseconds; 0 when absent. */
  readonly settleMs?: number;
}

/** What a person's service gives the turns that are under way at a stop. */
export const SETTLE_MS = 5000;
/** How long requests that are being answered may delay a stop, in milliseconds. */
const GRACE_MS = 2000;

/** Starts the service of a home. Rejects with `HomeError`, or with the error of a disk that fails. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { disk = nodeDisk, clock = systemClock, ids = systemIds } = options;
  const home = await prepareHome(options.home);
  const lock = acquireHomeLock(join(home, 'lock.sqlite'));
  if (lock === null) throw await alreadyRunning(disk, home);
  const log = options.log ?? fileLog(disk, home, clock);
  let conversations: Conversations | null = null;
  try {
    const token = await homeToken(disk, home);
    const settings = await readSettings(disk, home);
    const backends = options.backends ?? standardBackends({ disk, clock, ids, env: options.env });
    const boards = new Boards({ home, disk, clock, realPath: path => realpath(path) });
    const bots = new BundleBots(options.bots, { disk, directory: join(home, 'bundles') });
    const fallbackWorkspace = join(home, 'workspace');
    await disk.makeDirectory(fallbackWorkspace);
    const store = new HomeStore({ disk, clock, home });
    conversations = new Conversations({
      home,
      disk,
      store,
      blobs: store.blobs,
      lease: new LocalLease(),
      bus: new MemoryBus(),
      bots,
      choose: backendChooser(backends, options.env),
      tools: [...boardTools(boards), ...workspaceTools],
      clock,
      ids,
      fallbackWorkspace,
      onTrouble: (conversation, { code }) => log.write('not_saved', { conversation, code }),
      retention: {
        ...retentionOf(settings),
        onPass: report => log.write('retention', passFacts(report)),
        onFailure: error => log.write('retention_failed', errorFacts(error)),
      },
    });
    await conversations.initialise();
    const { settleMs = 0 } = options;
    const release = (): void => lock.release();
    const service = new Service({ home, disk, clock, log, conversations, settleMs, release });
    await service.open(options.port ?? null, { token, boards, bots, backends, env: options.env });
    conversations.retainSoon();
    return service;
  } catch (error) {
    // Nothing may work on in a home that is not ours any more.
    await conversations?.closeAll();
    await log.close();
    lock.release();
    throw error;
  }
}

async function alreadyRunning(disk: Disk, home: string): Promise<HomeError> {
  const found = await publishedService(disk, home).catch(() => null);
  const where = found === null ? '' : ` at ${found.address} (process ${found.pid})`;
  const message = `A service already serves the home ${home}${where}: use that one, or stop it with "hearth stop".`;
  return new HomeError('already_running', message, found?.address ?? null);
}

/** What the log tells of a pass of retention: counts, and no titles. */
function passFacts({ choices, trash, failed }: RetentionReport): Facts {
  const removed = choices.filter(choice => choice.remove).length;
  return { removed, discarded: trash.filter(choice => choice.remove).length, failed: failed.length };
}

interface ServiceParts {
  readonly home: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversations: Conversations;
  readonly settleMs: number;
  readonly release: () => void;
}

interface Doors {
  readonly token: string;
  readonly boards: Boards;
  readonly bots: BundleBots;
  readonly backends: readonly Backend[];
  readonly env: Environment;
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
    const table = routes({
      conversations,
      boards,
      bots,
      streams: this.#streams,
      once: new Once(conversations.receipts, clock),
      logins,
      models: modelsOf(doors.backends, doors.env),
      prepareStudio: () => studio.prepare(),
      status: () => this.#status(doors),
      stop: now => void this.stop({ now }),
    });
    const answerAt = (bound: number): Answer => {
      const app = createApp({
        routes: table,
        open: openRoutes({ logins }),
        page: path => studio.answer(path),
        gate: new Gate(token, bound, logins),
        log,
        stopping: () => this.#stopping !== null,
      });
      return request => app.fetch(request);
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
    const { home, disk, clock, log, conversations, release } = this.#parts;
    const listener = this.#listener;
    log.write('stopping');
    await withdrawService(disk, home).catch(() => undefined);
    await this.#settle();
    const gone = listener?.close();
    this.#streams.end();
    listener?.closeIdle();
    const cancelCut = clock.after(GRACE_MS, () => listener?.cut());
    try {
      await conversations.closeAll();
      await gone;
    } finally {
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

  /** Somebody may have taken the file away; whoever asks how the service is then puts it back. */
  async #publishAgain(): Promise<void> {
    const { disk, home } = this.#parts;
    const file = this.#published;
    if (file === null || this.#stopping !== null) return;
    if ((await publishedService(disk, home)) === null) await publishService(disk, home, file);
  }

  async #status({ backends, env }: Doors): Promise<ServiceStatus> {
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
      backend: await currentChoice(backends, env),
    };
  }
}
