import type { BackendEvent, Host } from '@hearth/engine/backend.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, test } from 'vitest';
import { done, message, sample, SampleBots, session, started } from './testing/sample-home.ts';

/* The calls of one step at once: each has its intent before and its outcome after, whatever runs beside it. */

const plan = chatPlan({ agent: { tools: ['look', 'change'] } });
const STEP = [
  { id: 'c1', name: 'look', args: { at: 'c1' } },
  { id: 'c2', name: 'look', args: { at: 'c2' } },
  { id: 'c3', name: 'change', args: {} },
  { id: 'c4', name: 'look', args: { at: 'c4' } },
];

/** What happened outside, and what was told of it; it outlives every crash. */
interface World {
  ran: string[];
  told: string[];
  accepted: boolean;
}

const untouched = (): World => ({ ran: [], told: [], accepted: false });

/** Two that look wait for each other, so that neither ends unless both run. */
function tools(world: World): readonly Tool[] {
  const both = Promise.withResolvers<void>();
  const seen = new Set<string>();
  const tool = (name: string, mutates: boolean, run: Tool['run']): Tool => ({
    name,
    description: name,
    input: { type: 'object' },
    mutates,
    idempotent: !mutates,
    title: () => name,
    run,
  });
  return [
    tool('look', false, async ({ at }) => {
      const id = typeof at === 'string' ? at : '';
      world.ran.push(id);
      seen.add(id);
      if (seen.has('c1') && seen.has('c2')) both.resolve();
      await both.promise;
      return { content: id };
    }),
    tool('change', true, () => {
      world.ran.push('c3');
      return Promise.resolve({ content: 'changed' });
    }),
  ];
}

const script = (world: World) =>
  async function* (_turn: unknown, host: Host): AsyncGenerator<BackendEvent> {
    yield session;
    await Promise.all(
      STEP.map(async call => {
        await host.call(call);
        world.told.push(call.id);
      }),
    );
    yield done('all four');
  };

const home = (world: World, disk?: SimDisk) =>
  sample({
    ...(disk === undefined ? {} : { disk }),
    bots: new SampleBots(plan),
    script: script(world),
    tools: tools(world),
  });

async function worked({ conversations }: ReturnType<typeof home>, world: World) {
  await conversations.initialise();
  await conversations.resume();
  const lane = await conversations.lane(await conversations.default());
  await lane.send(message('look twice'));
  world.accepted = true;
  await lane.settled();
  return lane;
}

test('two that only read overlap, and what changes something waits for both', {
  timeout: 10_000,
}, async () => {
  const world = untouched();
  const lane = await worked(home(world), world);
  const page = await lane.page(null, 500);
  if ('code' in page) throw new Error(page.code);
  const calls = page.events.flatMap(({ event }) =>
    event.type === 'tool' ? [`${event.call} ${event.change}`] : [],
  );
  expect(calls.slice(0, 2)).toEqual(['c1 started', 'c2 started']);
  expect(calls.slice(2, 4).sort()).toEqual(['c1 completed', 'c2 completed']);
  expect(calls.slice(4)).toEqual(['c3 started', 'c3 completed', 'c4 started', 'c4 completed']);
  expect(world.ran).toEqual(['c1', 'c2', 'c3', 'c4']);
  expect(lane.view()).toMatchObject({ state: 'idle' });
});

test('a crash between them keeps what has its outcome, and leaves to a person what has none', async () => {
  const { calls, cases } = await enumerateCrashes<World>({
    setup: async disk => {
      const { conversations } = await started({ disk, bots: new SampleBots(plan) });
      await conversations.lane(await conversations.default());
      await conversations.closeAll();
    },
    progress: untouched,
    act: async (disk, world) => {
      const one = home(world, disk);
      try {
        await worked(one, world);
      } catch (thrown) {
        if (disk.stoppedBefore === null) throw thrown;
      }
      await one.conversations.closeAll().catch(() => undefined);
    },
    check: async (disk, world) => {
      const before = [...world.ran];
      const told = [...world.told];
      const { conversations } = await started({
        disk,
        bots: new SampleBots(plan),
        script: script(world),
        tools: tools(world),
      });
      const lane = await conversations.lane(await conversations.default());
      await lane.settled();
      const page = await lane.page(null, 500);
      if ('code' in page) throw new Error(page.code);
      const events = page.events.flatMap(({ event }) => (event.type === 'tool' ? [event] : []));
      const of = (id: string, change: string) => events.some(one => one.call === id && one.change === change);
      for (const id of told) expect(of(id, 'completed'), `${id} is known to have ended`).toBe(true);
      for (const id of before) expect(of(id, 'started'), `${id} was written down before it ran`).toBe(true);
      const [pause] = lane.view().pauses;
      const open = before.filter(id => !of(id, 'completed'));
      if (open.length > 0) {
        expect(pause).toMatchObject({
          kind: 'recovery',
          cause: open.includes('c3') ? 'uncertain' : 'interrupted',
        });
        // Nothing is made again by itself.
        expect(world.ran).toEqual(before);
      }
      if (open.includes('c3')) expect(pause?.text).toContain('change');
      await conversations.closeAll();
    },
    seeds: [0, 2],
  });
  expect(calls).toBeGreaterThan(30);
  expect(cases).toBeGreaterThan(60);
});
