/**
 * The simulated machine: one disk, one clock and, most of the time, one service on them. It can lose its power before any
 * call to the disk, be killed, be stopped in good order, and run out of room. What belongs to a service that is gone
 * (its timers, its answers) never reaches anybody again.
 */
import { LocalLease } from '@hearth/conversations/local-lease.ts';
import { MemoryBus } from '@hearth/conversations/memory-bus.ts';
import { Conversations } from '@hearth/conversations/registry.ts';
import { SampleBots } from '@hearth/conversations/testing/sample-home.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { Plan } from '@hearth/engine/bot.ts';
import { Gate } from '@hearth/service/auth.ts';
import { createApp } from '@hearth/service/http.ts';
import { conversationRoutes } from '@hearth/service/routes/conversations.ts';
import { decisionRoutes } from '@hearth/service/routes/decisions.ts';
import { messageRoutes } from '@hearth/service/routes/messages.ts';
import { streamRoutes } from '@hearth/service/routes/streams.ts';
import { Streams } from '@hearth/service/sse.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimCrash, SimDisk } from '@hearth/store/sim-disk.ts';
import type { Broken } from './history.ts';
import { JudgedStore } from './judged-store.ts';
import { OneWriter } from './one-writer.ts';

export const TOKEN = 'simulated';
export const HOME = '/hearth';

/** Keeps nothing that is not protected, so that whatever stays had a reason to. */
const NARROW = { limits: { days: 1, conversations: 1, bytes: 1 }, trash: { days: 1, bytes: 1 } };

/** Makes the backend of a service, which is `alive` until that is gone. */
export type MakeBackend = (clock: Clock, disk: () => SimDisk, alive: () => boolean) => Backend;

/** A service from its start to its end, however that came. */
export interface Instance {
  readonly answer: (request: Request) => Promise<Response>;
  readonly conversations: Conversations;
  readonly streams: Streams;
  /** Rejects when it is gone. */
  readonly gone: Promise<never>;
  readonly alive: () => boolean;
}

export class Machine {
  readonly clock = new SimClock();
  readonly #backend: MakeBackend;
  readonly #ids = countedIds();
  readonly #bots: SampleBots;
  readonly #onBroken: (broken: Broken) => void;
  #disk = new SimDisk();
  #instance: Instance | null = null;
  readonly #writer: OneWriter;
  #end: () => void = () => undefined;
  /** How many times a service was started. */
  boots = 0;

  constructor(backend: MakeBackend, plan: Plan, onBroken: (broken: Broken) => void) {
    this.#backend = backend;
    this.#bots = new SampleBots(plan);
    this.#onBroken = onBroken;
    this.#writer = new OneWriter(onBroken);
  }

  /** Starts that found a service there, and left it to that. */
  get attached(): number {
    return this.#writer.refused;
  }

  get disk(): SimDisk {
    return this.#disk;
  }

  /** The service that runs; `null` when none does. */
  get instance(): Instance | null {
    return this.#instance;
  }

  /**
   * Starts a service, unless one is there. Resolves when it answers, when it is left to the one that is there, or when the
   * machine stopped meanwhile.
   */
  async boot(): Promise<void> {
    const claim = this.#writer.claim();
    if (claim === null) return;
    this.boots += 1;
    const died = Promise.withResolvers<never>();
    died.promise.catch(() => undefined);
    let alive = true;
    const end = (): void => {
      if (!alive) return;
      alive = false;
      claim.end();
      if (this.#end === end) this.#instance = null;
      died.reject(new TypeError('fetch failed'));
    };
    this.#end = end;
    const clock = mortal(this.clock, () => alive);
    const disk: Disk = watched(this.#disk, end, claim.called);
    const store = new JudgedStore({ disk, clock, home: HOME }, this.#disk, this.#onBroken);
    const backend = this.#backend(
      clock,
      () => this.#disk,
      () => alive,
    );
    const model = { model: 'auto', provider: null, effort: null } as const;
    const conversations = new Conversations({
      home: HOME,
      disk,
      store,
      blobs: store.blobs,
      ids: this.#ids,
      lease: new LocalLease(),
      bus: new MemoryBus(),
      bots: this.#bots,
      choose: () => Promise.resolve({ backend, model, why: 'simulated' }),
      tools: [],
      clock,
      fallbackWorkspace: `${HOME}/workspace`,
      retention: NARROW,
    });
    const streams = new Streams(clock);
    const app = createApp({
      routes: [
        ...conversationRoutes({ conversations }),
        ...messageRoutes({ conversations }),
        ...decisionRoutes({ conversations }),
        ...streamRoutes({ conversations, streams, presence: conversations }),
      ],
      gate: new Gate(TOKEN, 1),
      log: { write: () => undefined, close: () => Promise.resolve() },
      stopping: () => false,
    });
    const answer = async (request: Request): Promise<Response> => app.fetch(request);
    const instance = { answer, conversations, streams, gone: died.promise, alive: () => alive };
    try {
      await Promise.race([started(conversations), died.promise]);
    } catch (thrown) {
      if (alive) throw thrown;
      return;
    }
    this.#instance = instance;
  }

  /** The power fails before the disk's next call but `calls`. */
  crashSoon(calls: number): void {
    this.#disk.crashBefore(this.#disk.calls + calls);
  }

  /** The machine stands still: what the disk keeps is chosen by `seed`, everything when it is 1. */
  lose(seed: number): void {
    this.#end();
    const left = this.#disk.crash({ seed });
    // Whatever of the service still moves in this process reaches no disk any more.
    this.crashSoon(0);
    this.#disk = left;
  }

  /** Nothing of it is left. */
  close(): void {
    this.lose(1);
    this.#writer.close();
  }

  /** Stops the service in good order. */
  async stop(): Promise<void> {
    const instance = this.#instance;
    if (instance === null) return;
    await Promise.race([instance.conversations.closeAll(), instance.gone]).catch(() => undefined);
    instance.streams.end();
    this.lose(1);
  }
}

async function started(conversations: Conversations): Promise<void> {
  await conversations.initialise();
  await conversations.resume();
}

/** A clock whose timers die with whoever set them. */
function mortal(clock: Clock, alive: () => boolean): Clock {
  return {
    now: () => clock.now(),
    active: () => clock.active(),
    after: (ms, callback) =>
      clock.after(ms, () => {
        if (alive()) callback();
      }),
  };
}

/** Whatever is called on it is told and rejects as before, and `onCrash` is told first when the machine stopped. */
function watched<T extends object>(target: T, onCrash: () => void, onCall: (name: PropertyKey) => void): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]): Promise<unknown> => {
        onCall(name);
        try {
          const result: unknown = await Reflect.apply(member, object, given);
          return name === 'append' && isObject(result) ? watched(result, onCrash, onCall) : result;
        } catch (thrown) {
          if (thrown instanceof SimCrash) onCrash();
          throw thrown;
        }
      };
    },
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
