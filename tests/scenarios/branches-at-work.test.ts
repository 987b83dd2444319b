import { laneOf } from '@hearth/conversations/testing/lanes.ts';
import { ada, message, SampleBots, session, started } from '@hearth/conversations/testing/sample-home.ts';
import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import { planOf } from '@hearth/engine/testing/plan-of.ts';
import { describe, expect, test } from 'vitest';
import { agent, flow, from, HEAD, home, router, text } from './parts.ts';

/* Branches of which some are at work when something happens to another: their backends are told in time. */

const nodes = ['one', 'two', 'three'];

const source = (parallel = 3): string =>
  HEAD +
  nodes.map(name => agent(name)).join('') +
  router('all', 'fan_out_all') +
  text('meet', nodes.map(name => `outputs.${name}.text`).join(" + ' ' + ")) +
  home() +
  flow(
    'all',
    `budget:\n    max_parallel_branches: ${parallel}`,
    ...nodes.map(name => `all -> ${name} with { text: "{{vars.initial_message}}" }`),
    ...nodes.map(name => `${name} -> meet`),
    `meet -> home with ${from('meet')}`,
    'home -> done',
  );

/** A conversation whose agents wait until they are let go on, by name. */
async function opened(parallel?: number) {
  const gates = new Map<string, ReturnType<typeof Promise.withResolvers<'ends' | 'fails'>>>();
  const gate = (name: string) => {
    const known = gates.get(name) ?? Promise.withResolvers<'ends' | 'fails'>();
    gates.set(name, known);
    return known;
  };
  const working = new Set<string>();
  const most = { at: 0 };
  async function* script(turn: BackendTurn): AsyncGenerator<BackendEvent> {
    const { node, attempt } = turn;
    working.add(node);
    most.at = Math.max(most.at, working.size);
    yield session;
    const how = attempt === 1 ? await gate(node).promise : 'ends';
    working.delete(node);
    if (how === 'fails') yield { type: 'failed', code: 'auth', message: 'no key', began: true };
    else yield { type: 'done', output: { text: `${node}${attempt}` }, text: '' };
  }
  const made = await started({ bots: new SampleBots(planOf(source(parallel))), script });
  const lane = await laneOf(made);
  await lane.send(message('go'));
  const begun = async (count: number) => {
    while (made.backend.turns.length < count) await new Promise(resolve => setImmediate(resolve));
  };
  const decide = (pause: string, option: string) =>
    lane.decide({
      commandId: message('').commandId,
      actor: ada,
      pause: pause as `p${number}`,
      act: { do: 'answer', option },
    });
  return { lane, gate, begun, most, turns: made.backend.turns, decide };
}

const replies = async (lane: Awaited<ReturnType<typeof laneOf>>) =>
  (await lane.history(null, 100)).items.flatMap(line => (line.is === 'replied' ? [line.text] : []));

test('an interrupt stops the backends of all branches, and a message lets all of them go on', async () => {
  const { lane, begun, turns } = await opened();
  await begun(3);
  const turn = lane.view().turn!.id;
  await lane.interrupt({ commandId: message('').commandId, actor: ada, turn });
  await lane.settled();
  expect(lane.view().pauses).toMatchObject(nodes.map(() => ({ kind: 'recovery', cause: 'interrupted' })));
  expect(lane.view()).toMatchObject({ state: 'waiting', turn: { id: turn, status: 'waiting' } });
  await lane.send(message('go on'));
  await lane.settled();
  expect(turns).toHaveLength(6);
  expect(turns.filter(({ interrupted }) => interrupted?.unseen.length === 1)).toHaveLength(1);
  expect(await replies(lane)).toEqual(['one2 two2 three2']);
});

describe('a failure of one', () => {
  test('stops the backends of the others, and "again" lets all go on that had not ended', async () => {
    const { lane, gate, begun, decide, turns } = await opened();
    await begun(3);
    gate('two').resolve('ends');
    gate('one').resolve('fails');
    await lane.settled();
    const [pause, ...more] = lane.view().pauses;
    expect(pause).toMatchObject({ cause: 'failed', branch: 'branch_all_one' });
    expect(more).toEqual([]);
    await decide(pause!.id, 'again');
    await lane.settled();
    expect(turns.map(turn => `${turn.node}${turn.attempt}`).toSorted()).toEqual([
      'one1',
      'one2',
      'three1',
      'three2',
      'two1',
    ]);
    expect(await replies(lane)).toEqual(['one2 two1 three2']);
  });

  test('given up ends the turn although others were at work', async () => {
    const { lane, gate, begun, decide } = await opened();
    await begun(3);
    gate('one').resolve('fails');
    await lane.settled();
    await decide(lane.view().pauses[0]!.id, 'stop');
    await lane.settled();
    expect(lane.view()).toMatchObject({ state: 'idle', run: null, pauses: [] });
  });
});

test('no more branches are at work than the plan allows, and all come to an end', async () => {
  const { lane, gate, begun, most } = await opened(2);
  await begun(2);
  for (const name of nodes) gate(name).resolve('ends');
  await lane.settled();
  expect(most.at).toBe(2);
  expect(await replies(lane)).toEqual(['one1 two1 three1']);
});
