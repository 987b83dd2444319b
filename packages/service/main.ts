import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Boards } from '@hearth/board/boards.ts';
import { LocalLease } from '@hearth/conversations/local-lease.ts';
import { MemoryBus } from '@hearth/conversations/memory-bus.ts';
import { Conversations } from '@hearth/conversations/registry.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import { type Clock, systemClock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { BundleBots } from './bots.ts';
import { backendChooser, type Environment, standardBackends } from './choice.ts';
import { modelsOf } from './models.ts';
import { CountingStore } from './counting-store.ts';
import { DefaultModel } from './default-model.ts';
import { Dispatcher } from './dispatcher.ts';
import { type HeldHome, holdHome } from './held-home.ts';
import { errorFacts, fileLog, Level, type Log, logFrom } from './log.ts';
import { HomeSecrets } from './home-secrets.ts';
import { MetricsFile } from './metrics.ts';
import { Notifier } from './notifier.ts';
import { ObservedBus } from './observed-bus.ts';
import { passFacts } from './pass-facts.ts';
import { PresenceLog } from './presence.ts';
import { redactedBackend, redactedDisk, redactedLog, redactedModels } from './redaction.ts';
import { Redactor } from './secrets.ts';
import { Service } from './service.ts';
import { Quiet } from './quiet.ts';
import { readSettings, retentionOf } from './settings.ts';
import { TicketWatch } from './ticket-watch.ts';
import { homeToken } from './token.ts';
import { logWork } from './work-log.ts';

/*
 * The composition root: the one place that knows which disk, clock and backends there are. At most one service works in
 * a home.
 */

/** What a service is started with; what is left out is as a person's own service has it. */
export interface ServiceOptions {
  /** The home's path; made when it is not there. */
  readonly home: string;
  /** That home, when it was taken before; it is released with the service, or when that does not start. */
  readonly held?: HeldHome;
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

/** What a person may put into files of the home instead of the environment. */
const PROVIDER_KEYS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'HEARTH_OPENAI_API_KEY'] as const;

/** What a person's service gives the turns that are under way at a stop. */
export const SETTLE_MS = 5000;

/** Starts the service of a home. Rejects with `HomeError`, or with the error of a disk that fails. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { disk = nodeDisk, clock = systemClock, ids = systemIds } = options;
  const { home, release } = options.held ?? (await holdHome(options.home));
  const plainLog = options.log ?? fileLog(disk, home, clock);
  let conversations: Conversations | null = null;
  let watch: TicketWatch | null = null;
  try {
    const token = await homeToken(disk, home);
    const redactor = new Redactor(options.env);
    redactor.add(token);
    const secrets = new HomeSecrets(home, options.env, redactor);
    await secrets.sweep();
    const settings = await readSettings(disk, home);
    const least = Level.safeParse(options.env['HEARTH_LOG']).data ?? settings.log.level;
    const log = logFrom(redactedLog(plainLog, redactor), least);
    const known = { ...options.env, ...(await secrets.keys(PROVIDER_KEYS)) };
    const standard = new DefaultModel(disk, home, known, settings.model, settings.models);
    const { env } = standard;
    const plain =
      options.backends ?? standardBackends({ disk: redactedDisk(disk, redactor), clock, ids, env, home });
    const backends = plain.map(backend => redactedBackend(backend, redactor));
    const models = redactedModels(
      modelsOf(plain, standard, { disk, directory: join(home, 'trial'), clock }),
      redactor,
    );
    const boards = new Boards({ home, disk, clock, realPath: path => realpath(path) });
    const bots = new BundleBots(options.bots, { disk, directory: join(home, 'bundles') });
    const fallbackWorkspace = join(home, 'workspace');
    await disk.makeDirectory(fallbackWorkspace);
    let tools: readonly Tool[] = [];
    const mutates = (tool: string): boolean | null => tools.find(one => one.name === tool)?.mutates ?? null;
    const metrics = new MetricsFile(disk, home, mutates, log);
    const store = new CountingStore({ disk, clock, home }, metrics);
    const quiet = new Quiet(clock);
    conversations = new Conversations({
      home,
      disk,
      store,
      blobs: store.blobs,
      lease: new LocalLease(),
      bus: new ObservedBus(new MemoryBus(), (c, frame) => {
        metrics.take(c, frame);
        watch?.take(c, frame);
        logWork(log, c, frame);
      }),
      bots,
      choose: backendChooser(backends, env, bot => standard.bots[bot] ?? null),
      tools,
      means: async () => {
        const { meansOf } = await import('./means.ts');
        const means = meansOf({ home, disk, env: options.env, boards, secrets, redactor });
        ({ tools } = means);
        return means;
      },
      clock,
      ids,
      fallbackWorkspace,
      onOpened: c => watch?.opened(c),
      quiet,
      onTrouble: (conversation, { code }) => log.write('not_saved', { conversation, code }),
      retention: {
        ...retentionOf(settings),
        onPass: report => log.write('retention', passFacts(report)),
        onFailure: error => log.write('retention_failed', errorFacts(error)),
      },
    });
    await conversations.initialise();
    const { settleMs = 0 } = options;
    const { command } = settings.notification;
    const notifier = new Notifier({ command, env, home, clock, log });
    const presence = await PresenceLog.open({
      disk,
      home,
      clock,
      log,
      conversations,
      quiet,
      onCall: ({ id, title }, what) => void notifier.call({ conversation: id, title, ...what }),
    });
    const parts = { home, disk, clock, log, conversations, presence, quiet, settleMs, release };
    watch = await TicketWatch.open({ disk, home, clock, log, boards, conversations, fallbackWorkspace });
    const ended = watch;
    const dispatcher = new Dispatcher({ disk, home, clock, ids, log, boards, bots, conversations });
    const before = { close: () => ended.close() };
    const beside = { close: () => metrics.close().finally(() => notifier.close()) };
    const service = new Service({ ...parts, redactor, dispatcher, before, beside });
    await service.open(options.port ?? null, { token, boards, bots, models });
    conversations.retainSoon();
    dispatcher.start();
    void presence.catchUp();
    return service;
  } catch (error) {
    // Nothing may work on in a home that is not ours any more.
    await watch?.close();
    await conversations?.closeAll();
    await plainLog.close();
    release();
    throw error;
  }
}
