import { expect, test } from 'vitest';
import type { Present } from './kit.ts';
import type { PlayCall } from './subject.ts';
import { times } from './talk.ts';

/* Questions to the person: they park, they outlive the service, and nobody answers them but the person. */

const ask = (question: string, ...options: readonly string[]): PlayCall => ({
  name: 'ask_user',
  args: { question, options: options.map(id => ({ id, label: `Label of ${id}` })) },
});

export function questionTests({ talk }: Present): void {
  test('a question parks, nothing waits for it, and the answer goes on after a restart (B13)', async () => {
    const one = talk();
    const words = one.arranged('asks', [
      { is: 'calls', calls: [ask('Which barn?', 'red', 'blue')], text: 'One thing first.' },
    ]);
    const { last } = await one.start(one.turn(words)).told;
    if (last.type !== 'parked') throw new Error(`it ended with ${JSON.stringify(last)}`);
    const [question] = last.asks;
    expect(last.asks).toHaveLength(1);
    expect(last.permits).toEqual([]);
    expect(one.stage.processes()).toBe(0);
    // Nine days pass, and the service is another one.
    one.stage.clock.advance(9 * 24 * 3_600_000);
    await one.stage.restart();
    const option = question?.options[0]?.id;
    expect(option).toBeDefined();
    one.stage.arrange('answers', [{ is: 'answers', reply: 'The barn it is.' }]);
    const requests = one.stage.heard()?.length ?? 0;
    const after = await one.start(
      one.answering([{ place: 0, result: option === undefined ? 'cancelled' : { option } }]),
    ).told;
    expect(after.events[0]).toMatchObject({ type: 'session', how: 'resumed' });
    expect(after.last.type).toBe('done');
    const heard = one.stage.heard();
    if (heard === null) return;
    // One more request, which holds the question, the answer, and the words that led to it once.
    expect(heard).toHaveLength(requests + 1);
    expect(heard.at(-1)).toContain('Which barn?');
    expect(heard.at(-1)).toContain('Label of red');
    expect(times(words, heard.at(-1) ?? '')).toBe(1);
  });

  test('a question that is withdrawn is told as one that nobody answered', async () => {
    const one = talk();
    const words = one.arranged('asks', [{ is: 'calls', calls: [ask('Which barn?', 'red', 'blue')] }]);
    await one.start(one.turn(words)).told;
    one.stage.arrange('answers', [{ is: 'answers', reply: 'Then not.' }]);
    const { last } = await one.start(one.answering([{ place: 0, result: 'cancelled' }])).told;
    expect(last.type).toBe('done');
    const heard = one.stage.heard()?.at(-1);
    if (heard === undefined) return;
    expect(heard).toMatch(/withdrawn/);
    expect(heard).not.toMatch(/"answered":\s*true|\\"answered\\":\s*true/);
  });

  test('two questions of one step park together, and their answers may come in any order', async () => {
    const one = talk();
    if (one.stage.arrange('asks twice', []) === null) return;
    const words = one.arranged('asks twice', [
      { is: 'calls', calls: [ask('Which barn?', 'red', 'blue'), ask('Which door?')] },
    ]);
    const { last } = await one.start(one.turn(words)).told;
    if (last.type !== 'parked') throw new Error(`it ended with ${JSON.stringify(last)}`);
    // A program that makes the calls of a step at once may have either come first.
    const barn = last.asks.findIndex(asked => asked.text === 'Which barn?');
    const door = last.asks.findIndex(asked => asked.text === 'Which door?');
    expect(new Set([barn, door])).toEqual(new Set([0, 1]));
    expect(last.asks[barn]?.allowFreeText).toBe(false);
    expect(last.asks[door]?.allowFreeText).toBe(true);
    expect(new Set(last.asks.map(asked => asked.call)).size).toBe(2);
    await one.stage.restart();
    one.stage.arrange('answers', [{ is: 'answers', reply: 'Both are known.' }]);
    const after = await one.start(
      one.answering([
        { place: door, result: { text: 'the one in the north' } },
        { place: barn, result: { option: 'blue' } },
      ]),
    ).told;
    expect(after.last.type).toBe('done');
    const heard = one.stage.heard()?.at(-1);
    if (heard === undefined) return;
    expect(heard).toContain('Label of blue');
    expect(heard).toContain('the one in the north');
  });
}
