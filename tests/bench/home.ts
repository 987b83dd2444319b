import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HomeStore } from '@hearth/conversations/home-store.ts';
import type { Lane } from '@hearth/conversations/lane.ts';
import { LocalLease } from '@hearth/conversations/local-lease.ts';
import { MemoryBus } from '@hearth/conversations/memory-bus.ts';
import { Conversations } from '@hearth/conversations/registry.ts';
import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendEvent,
  type BackendTurn,
} from '@hearth/engine/backend.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';

/** A conversation on the real disk whose backend answers at once. */
export interface BenchHome {
  readonly path: string;
  readonly lane: Lane;
  /** Sends one message and waits until its turn has settled. */
  turn(text: string): Promise<void>;
  /** Called whenever the backend is. */
  onBackend(heard: () => void): void;
  /** From now on the backend answers no turn before that; `null`: at once. */
  think(until: Promise<unknown> | null): void;
  close(): Promise<void>;
}

/** Opens a fresh home under the system's temporary directory. */
export async function benchHome(): Promise<BenchHome> {
  const path = mkdtempSync(join(tmpdir(), 'hearth-bench-'));
  const plan = chatPlan({ cap: 1_000_000 });
  const bot = {
    name: 'whats-next',
    title: 'Bench',
    plan,
    digest: sha256(canonicalJson(plan)),
    sources: {},
    tools: [],
  };
  let heard = (): void => undefined;
  let thinking: Promise<unknown> | null = null;
  const backend = quickBackend(() => {
    heard();
    return thinking;
  });
  const store = new HomeStore({ disk: nodeDisk, clock: systemClock, home: path });
  const conversations = new Conversations({
    home: path,
    disk: nodeDisk,
    store,
    blobs: store.blobs,
    lease: new LocalLease(),
    bus: new MemoryBus(),
    bots: { load: () => Promise.resolve(bot), names: () => Promise.resolve([bot.name]) },
    choose: () =>
      Promise.resolve({ backend, model: { model: 'auto', provider: null, effort: null }, why: 'bench' }),
    tools: [],
    clock: systemClock,
    ids: systemIds,
    fallbackWorkspace: path,
  });
  await conversations.initialise();
  const lane = await conversations.lane(await conversations.default());
  let settle = (): void => undefined;
  // Attached once, as a surface is: what a turn takes is not what it takes to come and look.
  const detach = await lane.attach(lane.view().head, frame => {
    if (frame.frame === 'event' && frame.event.type === 'turn' && frame.event.change === 'completed')
      settle();
  });
  const turn = async (text: string): Promise<void> => {
    const settled = Promise.withResolvers<void>();
    settle = settled.resolve;
    await send(lane, text);
    await settled.promise;
  };
  const close = async (): Promise<void> => {
    detach();
    await conversations.closeAll();
    rmSync(path, { recursive: true, force: true });
  };
  const onBackend = (callback: () => void): void => {
    heard = callback;
  };
  const think = (until: Promise<unknown> | null): void => {
    thinking = until;
  };
  return { path, lane, turn, onBackend, think, close };
}

/** Goes on with whatever session it is given, answers as soon as it may, and remembers nothing. */
function quickBackend(begins: () => Promise<unknown> | null): Backend {
  async function* answers({ session }: BackendTurn): AsyncGenerator<BackendEvent> {
    const until = begins();
    const [id, how] =
      session.mode === 'fresh' ? ['quick', 'opened' as const] : [session.id, 'resumed' as const];
    yield { type: 'session', id, fingerprint: 'quick', how };
    if (until !== null) await until;
    yield { type: 'done', output: { reply: 'ok', close: false, quick_replies: [] }, text: 'ok' };
  }
  return {
    name: 'quick',
    capabilities: ALL_CAPABILITIES,
    detect: () => Promise.resolve({ usable: true, why: 'bench' }),
    fingerprint: () => Promise.resolve('quick'),
    start: turn => ({
      [Symbol.asyncIterator]: () => answers(turn),
      offer: () => undefined,
      interrupt: () => Promise.resolve(),
    }),
  };
}

/** Accepts a message durably. */
export async function send(lane: Lane, text: string): Promise<void> {
  const actor = { kind: 'person', name: 'bench', surface: 'bench' } as const;
  const reply = await lane.send({ commandId: systemIds.command(), actor, text, delivery: 'queue' });
  if (reply.refused !== undefined) throw new Error(reply.refused.message);
}
