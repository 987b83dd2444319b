/* A home on a simulated disk with a stand-in for a model provider, for the tests of this package. */
import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendEvent,
  type BackendRun,
  type BackendTurn,
  type Host,
  type InboxMessage,
} from '@hearth/engine/backend.ts';
import { type Bot, BotError, type Bots, type Plan } from '@hearth/engine/bot.ts';
import type { Surroundings } from '@hearth/engine/surroundings.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { SendMessage } from '@hearth/protocol/command.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Blobs, Bus, Store } from '../ports.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { HomeStore } from '../home-store.ts';
import type { RetentionOptions } from '../keeper.ts';
import { LocalLease } from '../local-lease.ts';
import { MemoryBus } from '../memory-bus.ts';
import type { LaneOptions } from '../opening.ts';
import { Conversations } from '../registry.ts';

export const HOME = '/hearth';
export const ada = { kind: 'person', name: 'ada', surface: 'console' } as const;

/** What a turn does. */
export type Script = (turn: BackendTurn, host: Host, inbox: InboxMessage[]) => AsyncGenerator<BackendEvent>;

export const session: BackendEvent = { type: 'session', id: 's', fingerprint: 'f', how: 'opened' };

export function done(reply: string, close = false): BackendEvent {
  return { type: 'done', output: { reply, close, quick_replies: [] }, text: reply };
}

/** Answers with the words it was given. */
export async function* echo(turn: BackendTurn): AsyncGenerator<BackendEvent> {
  yield session;
  yield { type: 'usage', spend: { ...NO_SPEND, tokens: 1, costUsd: 0 }, cumulative: true };
  yield done(`heard ${turn.prompt.user}`);
}

export function scriptedBackend(script: Script): Backend & { readonly turns: BackendTurn[] } {
  const turns: BackendTurn[] = [];
  return {
    name: 'script',
    capabilities: ALL_CAPABILITIES,
    turns,
    detect: () => Promise.resolve({ usable: true, why: 'test' }),
    fingerprint: () => Promise.resolve('f'),
    start(turn, host): BackendRun {
      turns.push(turn);
      const inbox: InboxMessage[] = [];
      const events = script(turn, host, inbox);
      const stop = Promise.withResolvers<BackendEvent>();
      async function* until(): AsyncGenerator<BackendEvent> {
        for (;;) {
          const next = await Promise.race([
            events.next(),
            stop.promise.then(value => ({ value, done: false })),
          ]);
          if (next.done) return;
          yield next.value;
          if (['done', 'parked', 'stopped', 'failed'].includes(next.value.type)) return;
        }
      }
      return {
        [Symbol.asyncIterator]: () => until(),
        offer: message => void inbox.push(message),
        interrupt: () => Promise.resolve(stop.resolve({ type: 'stopped' })),
      };
    },
  };
}

export function botOf(plan: Plan, name = 'whats-next'): Bot {
  return { name, title: plan.title, plan, digest: sha256(canonicalJson(plan)), sources: {}, tools: [] };
}

/** Bots by name; one that is not there cannot be loaded. */
export class SampleBots implements Bots {
  readonly bots = new Map<string, Bot>();
  constructor(plan: Plan = chatPlan()) {
    this.bots.set('whats-next', botOf(plan));
  }
  names = (): Promise<readonly string[]> => Promise.resolve([...this.bots.keys()]);
  load = (name: string): Promise<Bot> => {
    const bot = this.bots.get(name);
    return bot
      ? Promise.resolve(bot)
      : Promise.reject(new BotError('unknown_bot', `There is no bot "${name}".`));
  };
}

export interface Sample {
  readonly disk: SimDisk;
  readonly clock: SimClock;
  readonly bots: SampleBots;
  readonly bus: MemoryBus;
  readonly store: HomeStore;
  readonly backend: ReturnType<typeof scriptedBackend>;
  readonly conversations: Conversations;
}

/** A service's conversations over a disk; started by `initialise` and `resume`. */
export function sample(
  options: {
    disk?: SimDisk;
    clock?: SimClock;
    script?: Script;
    bots?: SampleBots;
    tools?: readonly Tool[];
    retention?: RetentionOptions;
    surroundings?: Surroundings;
    wrap?: (store: HomeStore) => { store: Store; blobs: Blobs; bus?: Bus };
    onTrouble?: NonNullable<LaneOptions['onTrouble']>;
  } = {},
): Sample {
  const { disk = new SimDisk(), clock = new SimClock(), bots = new SampleBots() } = options;
  const backend = scriptedBackend(options.script ?? echo);
  const store = new HomeStore({ disk, clock, home: HOME });
  const bus = new MemoryBus();
  const conversations = new Conversations({
    home: HOME,
    disk,
    ids,
    lease: new LocalLease(),
    bus,
    bots,
    choose: () =>
      Promise.resolve({ backend, model: { model: 'auto', provider: null, effort: null }, why: 'test' }),
    tools: options.tools ?? [],
    clock,
    fallbackWorkspace: `${HOME}/workspace`,
    ...(options.surroundings ? { surroundings: options.surroundings } : {}),
    ...(options.retention ? { retention: options.retention } : {}),
    ...(options.wrap?.(store) ?? { store, blobs: store.blobs }),
    ...(options.onTrouble === undefined ? {} : { onTrouble: options.onTrouble }),
  });
  return { disk, clock, bots, bus, store, backend, conversations };
}

export async function started(options: Parameters<typeof sample>[0] = {}): Promise<Sample> {
  const made = sample(options);
  await made.conversations.initialise();
  await made.conversations.resume();
  return made;
}

let commands = 0;
/** Shared by all homes, so that the next boot of one never makes an id again. */
const ids = countedIds();

/** A message with an id of its own. */
export function message(text: string, more: Partial<SendMessage> = {}): SendMessage {
  commands += 1;
  return {
    commandId: `command-${String(commands).padStart(12, '0')}`,
    actor: ada,
    text,
    delivery: 'queue',
    ...more,
  };
}

/** Reads a text file of a disk. */
export async function textOfFile(disk: Disk, path: string): Promise<string> {
  return new TextDecoder().decode((await disk.read(path)) ?? new Uint8Array());
}
