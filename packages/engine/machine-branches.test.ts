import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { describe, expect, it } from 'vitest';
import { ready } from './machine.ts';
import type { Token } from './state.ts';
import { ada, ask, Bench } from './testing/bench.ts';
import { planOf } from './testing/plan-of.ts';

/* What happens to branches at moments that a scenario of the whole cannot choose. */

const source = (more: { budget?: string; await?: string } = {}): string => `schema said:
  text: string

schema request:
  message: string

prompt words:
  {{input.text}}

agent one:
  model: "m"
  user: words
  output: said
  interaction: human

agent two:
  model: "m"
  user: words
  output: said
  interaction: human

router all:
  mode: fan_out_all

compute meet:
  output: said
${more.await === undefined ? '' : `  await: ${more.await}\n`}  expr:
    text: "input.one + ' ' + input.two"

human home:
  output: request
  instructions: words

workflow w:
  entry: home
${more.budget === undefined ? '' : `  budget:\n    ${more.budget}\n`}  home -> all
  all -> one with { text: "{{outputs.home.message}}" }
  all -> two with { text: "{{outputs.home.message}}" }
  one -> meet with { one: "{{outputs.one.text}}" }
  two -> meet with { two: "{{outputs.two.text}}" }
  meet -> home as talk(9) with { text: "{{outputs.meet.text}}" }
`;

function begun(more: Parameters<typeof source>[0] = {}): Bench {
  const bench = new Bench(planOf(source(more)));
  bench.send('go');
  return bench;
}

const stages = (bench: Bench): Record<string, string> =>
  Object.fromEntries(
    (bench.state.machine.run?.tokens ?? []).map((token: Token) => [token.branch ?? 'trunk', token.stage.is]),
  );

const said = (text: string) => ({ is: 'done', output: { text } }) as const;
const failed = { is: 'failed', code: 'auth', message: 'no key', began: false } as const;
const turnOf = (bench: Bench) => bench.state.machine.turn!.id;

describe('branches at work', () => {
  it('run side by side, and the turn ends when they have met', () => {
    const bench = begun();
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.end(two, said('2'));
    expect(stages(bench)).toEqual({ trunk: 'forked', branch_all_one: 'running' });
    expect(bench.told('node').filter(({ node }) => node === 'all')).toMatchObject([
      { change: 'started' },
      { change: 'ended', edges: [{ to: 'one' }, { to: 'two' }] },
    ]);
    expect(bench.state.machine.turn?.status).toBe('running');
    bench.end(one, said('1'));
    expect(bench.told('message').at(-1)).toMatchObject({ text: '1 2' });
    expect(bench.state.machine.turn).toBeNull();
    expect(bench.state.machine.run?.tokens).toHaveLength(1);
  });

  it('are so many at once as the plan allows', () => {
    const bench = begun({ budget: 'max_parallel_branches: 1' });
    const one = bench.start();
    expect(ready(bench.plan, bench.state)).toEqual([]);
    bench.end(one, said('1'));
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'two', branch: 'branch_all_two' }]);
  });

  it('ask several questions at once, which may be answered in any order while others work', () => {
    const bench = begun();
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.end(one, { is: 'parked', asks: [ask('A?'), ask('B?')], permits: [] });
    expect(bench.state.machine.turn?.status).toBe('running');
    bench.end(two, { is: 'parked', asks: [ask('C?')], permits: [] });
    expect(bench.state.machine.turn?.status).toBe('waiting');
    const [a, b, c] = bench.open;
    for (const pause of [c, b, a]) bench.decide(pause!.id, { do: 'answer', option: 'yes' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'one', resume: { session: { id: 's1' }, answers: [{ ask: 'A?' }, { ask: 'B?' }] } },
      { node: 'two', resume: { session: { id: 's2' }, answers: [{ ask: 'C?' }] } },
    ]);
  });

  it('offer a message to one agent only', () => {
    const bench = begun();
    const one = bench.start('s1');
    bench.start('s2');
    const judged = bench.send('faster', { delivery: 'steer' });
    expect(judged).toMatchObject({ did: { as: 'steering' } });
    bench.enter({ is: 'taken', effect: one, messages: ['m3'] });
    expect(bench.state.inbox).toEqual([]);
  });
});

describe('an interrupt', () => {
  it('stops every branch of the turn, those too that have not begun', () => {
    const bench = begun({ budget: 'max_parallel_branches: 1' });
    const one = bench.start('s1');
    bench.enter({ is: 'interrupted', turn: turnOf(bench), by: ada });
    expect(stages(bench)).toEqual({ trunk: 'forked', branch_all_one: 'running', branch_all_two: 'held' });
    bench.end(one, { is: 'stopped' });
    expect(bench.open).toMatchObject([
      { kind: 'recovery', cause: 'interrupted', branch: 'branch_all_two' },
      { kind: 'recovery', cause: 'interrupted', branch: 'branch_all_one' },
    ]);
    expect(bench.state.machine.turn?.status).toBe('waiting');
  });

  it('is taken up branch by branch, or for all of them by a message, whose words join one', () => {
    const bench = begun();
    const effects = [bench.start('s1'), bench.start('s2')];
    bench.enter({ is: 'interrupted', turn: turnOf(bench), by: ada });
    for (const effect of effects) bench.end(effect, { is: 'stopped' });
    const [first] = bench.open;
    const before = bench.state;
    bench.decide(first!.id, { do: 'answer', option: 'again' });
    expect(stages(bench)).toMatchObject({ branch_all_one: 'ready', branch_all_two: 'held' });

    bench.state = before;
    bench.send('go on, shorter');
    expect(bench.open).toEqual([]);
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'one', attempt: 2, resume: { session: { id: 's1' } }, joined: [{ text: 'go on, shorter' }] },
      { node: 'two', attempt: 2, resume: { session: { id: 's2' } }, joined: [] },
    ]);
  });

  it('given up by "stop" in one branch ends the turn, and what still runs has no place in it', () => {
    const bench = begun();
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.enter({ is: 'interrupted', turn: turnOf(bench), by: ada });
    bench.end(one, { is: 'stopped' });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'stop' });
    expect(stages(bench)).toEqual({ trunk: 'home' });
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
    bench.end(two, said('late'), { ...NO_SPEND, tokens: 7 });
    expect(stages(bench)).toEqual({ trunk: 'home' });
    expect(bench.state.ledgers.lifetime.tokens).toBe(7);
  });
});

describe('a failure in a branch', () => {
  it('stops the others, keeps what they were told, and lets them go on in their sessions', () => {
    const bench = begun();
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.send('hurry', { delivery: 'steer' });
    bench.enter({ is: 'taken', effect: one, messages: ['m3'] });
    bench.end(two, failed);
    expect(bench.state.machine.run?.tokens[1]?.stage).toMatchObject({ is: 'running', interrupted: true });
    bench.end(one, { is: 'stopped' });
    expect(stages(bench)).toEqual({ trunk: 'forked', branch_all_one: 'aside', branch_all_two: 'held' });
    expect(bench.open).toMatchObject([{ cause: 'failed', branch: 'branch_all_two' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'one', attempt: 2, resume: { session: { id: 's1' } }, joined: [{ text: 'hurry' }] },
      { node: 'two', attempt: 2, resume: { session: { id: 's2' } } },
    ]);
  });

  it('gives a message back that the branch took and nobody saw, when the turn is given up', () => {
    const bench = begun();
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.send('hurry', { delivery: 'steer' });
    bench.enter({ is: 'taken', effect: one, messages: ['m3'] });
    bench.end(two, failed);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'stop' });
    // It is delivered at home, and starts the next turn.
    expect(bench.told('message.moved').map(({ message, to }) => `${message} ${to}`)).toEqual([
      'm3 queued',
      'm3 delivered',
      'm3 queued',
      'm3 consumed',
    ]);
    expect(bench.state.machine.turn).toMatchObject({ message: 'm3' });
  });

  it('counts once, whatever fails while it waits', () => {
    const bench = begun();
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.end(one, failed);
    bench.end(two, failed);
    expect(bench.open).toHaveLength(1);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'again' });
    expect(stages(bench)).toMatchObject({ branch_all_one: 'ready', branch_all_two: 'ready' });
  });

  it('that the meeting can do without cancels nothing and is asked about by nobody', () => {
    const bench = begun({ await: 'best_effort' });
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.end(one, failed);
    expect(bench.open).toEqual([]);
    expect(stages(bench)).toEqual({ trunk: 'forked', branch_all_two: 'running' });
    bench.end(two, { is: 'parked', asks: [ask('C?')], permits: [] });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'yes' });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'two' }]);
  });
});

describe('a budget that is used up', () => {
  it('stops all branches and asks once', () => {
    const bench = begun({ budget: 'max_tokens: 100' });
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.end(
      one,
      { is: 'failed', code: 'budget', message: 'used up', began: true },
      { ...NO_SPEND, tokens: 100 },
    );
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'budget' }]);
    bench.end(two, { is: 'stopped' });
    expect(stages(bench)).toEqual({ trunk: 'forked', branch_all_one: 'held', branch_all_two: 'aside' });
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'raise' });
    expect(ready(bench.plan, bench.state)).toHaveLength(2);
  });

  it('lets no branch begin, whatever the branches wait for', () => {
    const bench = begun({ budget: 'max_tokens: 100\n    max_parallel_branches: 1', await: 'best_effort' });
    bench.end(bench.start(), said('1'), { ...NO_SPEND, tokens: 95 });
    expect(bench.open).toMatchObject([{ kind: 'recovery', cause: 'budget', node: 'two' }]);
  });
});

describe('a crash', () => {
  it('is asked about branch by branch, and not about what was finished', () => {
    const bench = begun();
    const [one, two] = [bench.start('s1'), bench.start('s2')];
    bench.end(one, said('1'));
    bench.enter({ is: 'restarted', effects: [two] });
    expect(bench.open).toMatchObject([{ cause: 'interrupted', branch: 'branch_all_two' }]);
    bench.decide(bench.open[0]!.id, { do: 'answer', option: 'it_happened', fields: { text: 'so' } });
    expect(bench.told('message').at(-1)).toMatchObject({ text: '1 so' });
  });
});
