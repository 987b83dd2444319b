import { ask, emit, fail, gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import type { Script } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { HearthProblem } from '@hearth/client/problem.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, serve } from './testing/served.ts';

/* The runs of a conversation over the API: looked at, paused, taken up again and given up. */

afterEach(endAll);

const codeOf = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'accepted',
    (error: unknown) => (error instanceof HearthProblem ? error.code : 'other'),
  );
const used = emit({ type: 'usage', spend: { ...NO_SPEND, tokens: 120, costUsd: 0.25 }, cumulative: false });

describe('a run', () => {
  test('is told in figures and in steps, from its first turn on and over a restart', async () => {
    const script: Script = ({ answers }) =>
      answers.length === 0 ? [used, ask('Which?', [{ id: 'a', label: 'A' }])] : [used, reply('So.')];
    const served = await serve(script);
    const c = await served.conversation();
    await served.client.send(c, { text: 'a word that is said', delivery: 'queue' });
    const { pauses } = await served.until(c, view => view.state === 'waiting');
    expect((await served.client.run(c, 'r1')).status).toBe('waiting');
    await served.client.decide(c, pauses[0]?.id ?? 'p0', { do: 'answer', option: 'a' });
    await served.until(c, view => view.turn === null && view.state === 'idle');
    const before = await served.client.runs(c);
    await served.service.stop();

    const again = await serve(script, { home: served.home });
    const after = await again.client.runs(c);
    expect(after).toEqual(before);
    const [run] = after.runs;
    expect(run).toMatchObject({ run: 'r1', status: 'idle', turns: 1, pauses: 1, dropped: 0 });
    expect(run?.spend).toMatchObject({ tokens: 240, costUsd: 0.5, iterations: 2 });
    expect(run?.nodes.find(node => node.spend.iterations === 2)).toMatchObject({ runs: 2, failed: 0 });
    const { steps } = await again.client.trace(c, 'r1');
    expect(steps[0]).toMatchObject({ is: 'run', change: 'started' });
    expect(steps.map(step => step.n)).toEqual(steps.map(step => step.n).toSorted((a, b) => a - b));
    expect(steps.filter(step => step.is === 'answer' && step.choice === 'a')).toMatchObject([
      { how: 'answered', by: { name: 'ada' } },
    ]);
    // Words are in the history and nowhere here.
    expect(JSON.stringify(steps)).not.toContain('a word that is said');
    expect(JSON.stringify(steps)).not.toContain('Which?');
  });

  test('that nobody knows is said to be unknown', async () => {
    const served = await serve(() => [reply('So.')]);
    const c = await served.conversation();
    expect(await served.client.runs(c)).toEqual({ runs: [] });
    expect(await codeOf(served.client.run(c, 'r1'))).toBe('unknown_run');
    expect(await codeOf(served.client.trace(c, 'r7'))).toBe('unknown_run');
    expect((await served.fetch(`/v1/conversations/${c}/runs/nonsense`)).status).toBe(404);
    expect(await codeOf(served.client.operate(c, 'r1', 'cancel'))).toBe('wrong_state');
  });

  test('is given up while it works, and the command sent again is the same command', async () => {
    const held = Promise.withResolvers<void>();
    const served = await serve(() => [gate(held.promise), reply('Too late.')]);
    const c = await served.conversation();
    await served.client.send(c, { text: 'go', delivery: 'queue' });
    await served.until(c, view => view.state === 'working');
    const commandId = 'cancel-of-the-run-1';
    await served.client.operate(c, 'r1', 'cancel', { commandId });
    held.resolve();
    const view = await served.until(c, one => one.run === null);
    expect(view).toMatchObject({ state: 'idle', turn: null, pauses: [] });
    expect(await served.client.operate(c, 'r1', 'cancel', { commandId })).toMatchObject({ replayed: true });
    expect(await served.client.run(c, 'r1')).toMatchObject({ status: 'cancelled', code: 'CANCELLED' });
    await served.client.send(c, { text: 'anew', delivery: 'queue' });
    await served.until(c, one => one.run?.id === 'r2');
  });

  test('that failed is taken up by a resume; one that asks is not', async () => {
    const served = await serve(({ attempt }) =>
      attempt === 1 ? [fail('auth')] : [ask('Which?', [{ id: 'a', label: 'A' }])],
    );
    const c = await served.conversation();
    await served.client.send(c, { text: 'go', delivery: 'queue' });
    await served.until(c, view => view.state === 'waiting');
    await served.client.operate(c, 'r1', 'resume');
    await served.until(c, view => view.pauses.some(pause => pause.kind === 'question'));
    expect(await codeOf(served.client.operate(c, 'r1', 'resume'))).toBe('wrong_state');
    const { nodes } = await served.client.run(c, 'r1');
    expect(nodes.map(node => node.failed)).toEqual([0, 1]);
  });

  test('that works is paused before its next step', async () => {
    const held = Promise.withResolvers<void>();
    const served = await serve(() => [gate(held.promise), reply('So.')]);
    const c = await served.conversation();
    await served.client.send(c, { text: 'go', delivery: 'queue' });
    await served.until(c, view => view.state === 'working');
    await served.client.operate(c, 'r1', 'pause');
    expect(await codeOf(served.client.operate(c, 'r1', 'pause'))).toBe('wrong_state');
    held.resolve();
    // Its one step was its last: the reply is there and nothing is left to hold.
    expect((await served.until(c, view => view.state === 'idle')).pauses).toMatchObject([{ kind: 'chat' }]);
    const { steps } = await served.client.trace(c, 'r1');
    expect(steps).toContainEqual(expect.objectContaining({ is: 'run', change: 'paused' }));
  });
});
