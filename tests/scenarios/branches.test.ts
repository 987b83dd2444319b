import { describe, expect, test } from 'vitest';
import { scenario } from './harness.ts';
import { agent, agents, flow, form, from, HEAD, home, router, text, verdict } from './parts.ts';

/* Branches: what a fork gives, where it meets, what a person is asked in one, and what becomes of one that fails. */

const ASKED = '{ text: "{{vars.initial_message}}" }';
const START = text('start', 'vars.initial_message') + router('all', 'fan_out_all');

/** A fork of some targets after `start`, and home behind `meet`. */
const forked = (nodes: string, targets: readonly string[], ...edges: readonly string[]): string =>
  HEAD +
  START +
  nodes +
  home() +
  flow(
    'start',
    `start -> all with ${from('start')}`,
    ...targets.map(target => `all -> ${target} with ${ASKED}`),
    ...edges,
    `meet -> home with ${from('meet')}`,
    'home -> done',
  );

describe('where branches meet', () => {
  test('there is what all of them put out, whoever was first', async () => {
    const ending = await scenario({
      source: forked(
        agent('one') +
          agent('two') +
          text('meet', "outputs.one.text + ' ' + outputs.two.text + ' ' + input.text"),
        ['one', 'two'],
        `one -> meet with ${from('one')}`,
        `two -> meet with ${from('two')}`,
      ),
      world: agents(),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['one(hi) two(hi) two(hi)']);
    expect(ending.log.toSorted()).toEqual(['one', 'two']);
  });

  test('a target that others lead to is the meeting itself', async () => {
    const ending = await scenario({
      source: forked(agent('one') + text('meet'), ['one', 'meet'], `one -> meet with ${from('one')}`),
      world: agents(),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['one(hi)']);
  });

  test('branches that all come to `done` end the run', async () => {
    const source =
      HEAD +
      START +
      agent('one') +
      agent('two') +
      flow('start', 'start -> all', 'all -> one', 'all -> two', 'one -> done', 'two -> done');
    const ending = await scenario({ source, world: agents(), says: ['hi'] });
    expect(ending.run).toMatchObject({ status: 'ended', reason: 'done' });
  });

  test('a `fail` that is come to ends the run, since all must succeed', async () => {
    const source =
      HEAD +
      START +
      agent('one') +
      text('two') +
      flow(
        'start',
        `start -> all with ${from('start')}`,
        'all -> one',
        `all -> two with ${ASKED}`,
        'one -> done',
        'two -> fail',
      );
    const ending = await scenario({ source, world: agents(), cuts: true, says: ['hi'] });
    expect(ending.run).toMatchObject({ status: 'ended', reason: 'failed', code: 'FAIL_NODE' });
  });

  test('a branch may fork again, and its branches are named after it', async () => {
    const ending = await scenario({
      source: forked(
        router('inner', 'fan_out_all') +
          form('a') +
          agent('b') +
          text('met', "outputs.a.text + '+' + outputs.b.text") +
          agent('two') +
          text('meet', "outputs.met.text + ' ' + outputs.two.text"),
        ['inner', 'two'],
        `inner -> a with ${from('inner')}`,
        `inner -> b with ${from('inner')}`,
        'a -> met',
        'b -> met',
        'met -> meet',
        'two -> meet',
      ),
      world: agents(),
      says: ['hi'],
      answers(pause) {
        expect(pause.branch).toBe('branch_all_inner/branch_inner_a');
        return { do: 'answer', fields: { text: 'given' } };
      },
    });
    expect(ending.replies).toEqual(['given+b(hi) two(hi)']);
  });
});

describe('in a branch', () => {
  test('guards choose and a loop that is wholly in it goes round', async () => {
    const ending = await scenario({
      source: forked(
        verdict('grow', 'length(input.text) > 4', "input.text + 'x'") +
          text('tall', "outputs.grow.text + '!'") +
          agent('two') +
          text('meet', "outputs.tall.text + ' ' + outputs.two.text"),
        ['grow', 'two'],
        'grow -> tall when good',
        `grow -> grow as growing(9) with ${from('grow')}`,
        'tall -> meet',
        'two -> meet',
      ),
      world: agents(),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['hixxxx! two(hi)']);
    expect(ending.loops).toEqual({ growing: 3 });
  });

  test.each([
    ['in the order in which they were asked', 0],
    ['in the other order', -1],
  ])('people are asked while others go on, and answer %s', async (_, which) => {
    const ending = await scenario({
      source: forked(
        form('ada') +
          form('bob') +
          agent('two') +
          text('meet', 'outputs.ada.text + outputs.bob.text + outputs.two.text'),
        ['ada', 'two', 'bob'],
        'ada -> meet',
        'two -> meet',
        'bob -> meet',
      ),
      world: agents(),
      says: ['hi'],
      answers: (pause, open) =>
        pause === open.at(which) ? { do: 'answer', fields: { text: `${pause.node} ` } } : null,
    });
    expect(ending.replies).toEqual(['ada bob two(hi)']);
  });

  test('a question that nobody has answered keeps the meeting waiting, and nothing else', async () => {
    const ending = await scenario({
      source: forked(form('ada') + agent('two') + text('meet'), ['ada', 'two'], 'ada -> meet', 'two -> meet'),
      world: agents(),
      says: ['hi'],
    });
    expect(ending.open).toEqual(['input at ada']);
    expect(ending.at).toEqual(['ada in branch_all_ada', 'all']);
    expect(ending.state.machine.turn).toMatchObject({ status: 'waiting' });
  });
});

describe('a branch that fails', () => {
  const lenient = forked(
    agent('one') +
      agent('two') +
      text('join_up', "'met'", '  await: best_effort\n') +
      text('meet', "length(outputs.join_up._failed_branches) + ' of 2'"),
    ['one', 'two'],
    'one -> join_up',
    'two -> join_up',
    'join_up -> meet',
  );
  const pair = (meet: string, more = ''): string =>
    forked(
      agent('one') + agent('two') + text('meet', meet, more),
      ['one', 'two'],
      'one -> meet',
      'two -> meet',
    );

  test('is held where it failed, and after "again" nothing that was finished is done once more', async () => {
    const ending = await scenario({
      source: pair("outputs.one.text + ' ' + outputs.two.text"),
      world: agents(({ node }, before) => (node === 'one' && before === 0 ? { fails: 'auth' } : null)),
      cuts: true,
      says: ['hi'],
      answers(pause) {
        expect(pause).toMatchObject({
          kind: 'recovery',
          cause: 'failed',
          node: 'one',
          branch: 'branch_all_one',
        });
        return { do: 'answer', option: 'again' };
      },
    });
    expect(ending.replies).toEqual(['one(hi) two(hi)']);
    expect(ending.log.filter(node => node === 'one')).toHaveLength(2);
  });

  test('is given up with the whole turn by "stop"', async () => {
    const ending = await scenario({
      source: pair('input.text'),
      world: agents(({ node }) => (node === 'one' ? { fails: 'auth' } : null)),
      cuts: true,
      says: ['hi'],
      answers: pause => (pause.kind === 'recovery' ? { do: 'answer', option: 'stop' } : null),
    });
    expect(ending.run).toMatchObject({ status: 'ended', reason: 'failed' });
    expect(ending.at).toEqual([]);
  });

  test('cancels what others asked, and they ask again when it is taken up', async () => {
    const asked: string[] = [];
    const ending = await scenario({
      source: forked(
        form('ada') + agent('one') + text('meet', "outputs.ada.text + ' ' + outputs.one.text"),
        ['ada', 'one'],
        'ada -> meet',
        'one -> meet',
      ),
      world: agents((_, before) => (before === 0 ? { fails: 'auth' } : null)),
      cuts: true,
      says: ['hi'],
      answers(pause, open) {
        asked.push(pause.node);
        if (pause.kind === 'input') return { do: 'answer', fields: { text: 'mine' } };
        expect(open).toHaveLength(1);
        return { do: 'answer', option: 'again' };
      },
    });
    expect(asked).toContain('one');
    expect(ending.replies).toEqual(['mine one(hi)']);
  });

  test('under best_effort is named where the others meet', async () => {
    const ending = await scenario({
      source: lenient,
      world: agents(({ node }) => (node === 'one' ? { fails: 'auth' } : null)),
      says: ['hi'],
    });
    expect(ending.replies).toEqual(['1 of 2']);
    expect(ending.outputs['join_up']).toEqual({
      text: 'met',
      _failed_branches: [{ branch_id: 'branch_all_one', error: 'one failed' }],
    });
  });

  test('under best_effort may be every one of them, or none', async () => {
    const fails = await scenario({ source: lenient, world: agents(() => ({ fails: 'auth' })), says: ['hi'] });
    expect(fails.replies).toEqual(['2 of 2']);
    const none = await scenario({ source: lenient, world: agents(), says: ['hi'] });
    expect(none.replies).toEqual(['0 of 2']);
  });

  test('that would change the workspace together with another is not begun', async () => {
    const ending = await scenario({
      source: forked(
        agent('one', '  tools: [bash]\n') + agent('two', '  tools: [write_file, read_file]\n') + text('meet'),
        ['one', 'two'],
        'one -> meet',
        'two -> meet',
      ),
      world: agents(),
      says: ['hi'],
      answers(pause) {
        expect(pause).toMatchObject({
          kind: 'recovery',
          cause: 'failed',
          code: 'WORKSPACE_SAFETY',
          node: 'all',
        });
        return null;
      },
    });
    expect(ending.log).toEqual([]);
    expect(ending.open).toEqual(['recovery at all']);
  });
});
