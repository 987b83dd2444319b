import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { CommandId } from '@hearth/protocol/ids.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { botOf, message, type Sample, SampleBots, started } from './testing/sample-home.ts';

/* A bot that is edited while its conversations are open, through the store and over restarts. */

/** The sample with its chat node under another name, so that a run that waits there has no place in it. */
function renamed() {
  const plan = chatPlan({ cap: 7 });
  const { chat, ...nodes } = plan.nodes;
  if (chat === undefined) throw new Error('the sample has a chat node');
  const named = (name: string): string => (name === 'chat' ? 'talk_on' : name);
  return {
    ...plan,
    nodes: { ...nodes, talk_on: { ...chat, name: 'talk_on' } },
    edges: plan.edges.map(edge => ({ ...edge, from: named(edge.from), to: named(edge.to) })),
    loops: { talk: { ...plan.loops['talk']!, body: ['bot', 'gate', 'talk_on'] } },
    keeps: plan.keeps.map(named),
  };
}

async function talked(): Promise<{ home: Sample; lane: Lane; bots: SampleBots }> {
  const bots = new SampleBots();
  const home = await started({ bots });
  const lane = await home.conversations.lane(await home.conversations.default());
  await lane.send(message('one'));
  await lane.settled();
  bots.bots.set('whats-next', botOf(renamed()));
  await lane.send(message('two'));
  await lane.settled();
  return { home, lane, bots };
}

function choose(lane: Lane, option: string, commandId: CommandId = 'choice-of-a-person') {
  const pause = lane.view().pauses.find(one => one.kind === 'recovery');
  const { actor } = message('');
  return lane.decide({ commandId, actor, pause: pause?.id ?? 'p0', act: { do: 'answer', option } });
}

describe('a bot in which the run has no place any more', () => {
  it('R13.11: is asked about, and the message waits', async () => {
    const { home, lane } = await talked();
    expect(lane.view()).toMatchObject({ state: 'waiting', queue: [{ head: 'two' }], run: { id: 'r1' } });
    expect(lane.view().pauses).toMatchObject([{ kind: 'chat' }, { cause: 'plan_changed' }]);
    expect(home.backend.turns).toHaveLength(1);
  });

  it('takes over with what waits, once the person begins anew', async () => {
    const { home, lane } = await talked();
    await choose(lane, 'restart');
    await lane.settled();
    expect(lane.view()).toMatchObject({ state: 'idle', queue: [], run: { id: 'r2', nodes: ['talk_on'] } });
    expect(home.backend.turns.at(-1)?.prompt.user).toBe('two');
  });

  it('is left aside when the person keeps the old one, over a restart too', async () => {
    const { home, lane, bots } = await talked();
    await choose(lane, 'keep');
    await lane.settled();
    expect(lane.view()).toMatchObject({ state: 'idle', run: { id: 'r1', nodes: ['chat'] } });
    await home.conversations.closeAll();
    const again = await started({ disk: home.disk, bots });
    const next = await again.conversations.lane(lane.id);
    await next.send(message('three'));
    await next.settled();
    expect(next.view()).toMatchObject({ state: 'idle', run: { id: 'r1', nodes: ['chat'] } });
    expect(again.backend.turns).toHaveLength(1);
  });

  it('takes over with what waits also when the power failed right after the choice', async () => {
    for (let calls = 1; calls <= 12; calls += 1) {
      const { home, lane, bots } = await talked();
      home.disk.crashBefore(home.disk.calls + calls);
      await choose(lane, 'restart').catch(() => undefined);
      const disk: SimDisk = home.disk.crash({ seed: 1 });
      const again = await started({ disk, bots });
      const next = await again.conversations.lane(lane.id);
      await next.settled();
      if (next.view().pauses.some(pause => pause.kind === 'recovery')) await choose(next, 'restart');
      await next.settled();
      const { run, queue } = next.view();
      // A turn that was cut short waits for its person; nothing is lost and nothing is begun twice.
      expect({ calls, run: run?.id, queue }).toEqual({ calls, run: 'r2', queue: [] });
      await again.conversations.closeAll();
    }
  });
});

describe('a run that is operated', () => {
  it('is cancelled once, whenever the power fails', async () => {
    for (let calls = 1; calls <= 8; calls += 1) {
      const home = await started();
      const lane = await home.conversations.lane(await home.conversations.default());
      await lane.send(message('one'));
      await lane.settled();
      const { actor } = message('');
      const command = { commandId: 'cancel-of-the-run-1', actor, run: 'r1' } as const;
      home.disk.crashBefore(home.disk.calls + calls);
      await lane.operate('cancel', command).catch(() => undefined);
      const again = await started({ disk: home.disk.crash({ seed: 1 }) });
      const next = await again.conversations.lane(lane.id);
      const reply = await next.operate('cancel', command);
      expect({ calls, refused: reply.refused, run: reply.view.run }).toEqual({
        calls,
        refused: undefined,
        run: null,
      });
      expect(reply.view.pauses).toEqual([]);
      await again.conversations.closeAll();
    }
  });
});
