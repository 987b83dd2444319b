import { session } from '@hearth/conversations/testing/sample-home.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { describe, expect, test } from 'vitest';
import { scenario, type World } from './harness.ts';
import { agent, agents, flow, from, HEAD, home, router, text } from './parts.ts';

/* What a person does to a run while it works: pausing, cancelling, interrupting, steering; and what a budget stops. */

/** One agent after the other. */
const row = (budget = ''): string =>
  HEAD +
  agent('one') +
  agent('two') +
  home() +
  flow(
    'start',
    ...(budget === '' ? [] : [`budget:\n    ${budget}`]),
    `start -> one with ${from('start')}`,
    `one -> two with ${from('one')}`,
    `two -> home with ${from('two')}`,
    'home -> one as turns(9) with { text: "{{outputs.home.message}}" }',
  ).replace('workflow', `${text('start', 'vars.initial_message')}workflow`);

const again = (pause: Pause): Act | null =>
  pause.kind === 'recovery' ? { do: 'answer', option: 'again' } : null;

describe('a soft pause', () => {
  test('lets the node that works end, and the next one starts when the person resumes', async () => {
    const ending = await scenario({
      source: row(),
      world: agents(),
      says: ['hi', 'more'],
      operate: [{ does: 'pause', at: 'one' }, { does: 'resume' }],
    });
    expect(ending.replies).toEqual(['two(one(hi))', 'two(one(more))']);
    expect(ending.log).toEqual(['one', 'two', 'one', 'two']);
  });

  test('before the last node leaves its reply and its person as they were', async () => {
    const ending = await scenario({
      source: row(),
      world: agents(),
      says: ['hi'],
      operate: [{ does: 'pause', at: 'two' }],
    });
    // The work was over with the reply: nothing was left to hold.
    expect(ending.replies).toEqual(['two(one(hi))']);
    expect(ending.open).toEqual(['chat at home']);
  });
});

test('a cancel while a node works ends the run, and the next message begins another', async () => {
  const ending = await scenario({
    source: row(),
    world: agents(),
    says: ['hi', 'anew'],
    operate: [{ does: 'cancel', at: 'two' }],
  });
  expect(ending.replies).toEqual(['two(one(anew))']);
  expect(ending.state.machine.run?.id).toBe('r2');
});

describe('an interrupt', () => {
  test('is taken up where it was, and nothing before it is done again', async () => {
    const ending = await scenario({
      source: row(),
      world: agents(),
      says: ['hi'],
      operate: [{ does: 'interrupt', at: 'two' }],
      answers: again,
    });
    expect(ending.replies).toEqual(['two(one(hi))']);
    expect(ending.asked).toEqual(['one: hi', 'two: one(hi)', 'two: one(hi)']);
  });

  test('is taken up by a resume as well', async () => {
    const ending = await scenario({
      source: row(),
      world: agents(),
      says: ['hi'],
      operate: [{ does: 'interrupt', at: 'one' }, { does: 'resume' }],
    });
    expect(ending.replies).toEqual(['two(one(hi))']);
  });
});

test('steering reaches an agent that works in a branch, which tells of it once', async () => {
  const world = (): World => {
    const log: string[] = [];
    /** What the session holds: whatever the model saw in it, also in an attempt that a crash cut off. */
    const known = new Set<string>();
    return {
      log,
      async *script(turn, _host, inbox) {
        yield session;
        for (const { text: words } of turn.interrupted?.unseen ?? []) {
          log.push(words);
          known.add(words);
        }
        for (let look = 0; look < 20 && inbox.length === 0; look += 1)
          await new Promise(resolve => setImmediate(resolve));
        const told = inbox.splice(0);
        const messages = told.map(({ id }) => id);
        if (messages.length > 0) yield { type: 'taken', messages };
        for (const { text: words } of told) {
          log.push(words);
          known.add(words);
        }
        if (messages.length > 0) yield { type: 'seen', messages };
        const words = [turn.prompt.user, ...known].join(', ');
        yield { type: 'done', output: { text: words }, text: words };
      },
    };
  };
  const ending = await scenario({
    source:
      HEAD +
      agent('one') +
      text('other', "'beside'") +
      router('all', 'fan_out_all') +
      text('meet', "outputs.one.text + ' ' + outputs.other.text") +
      home() +
      flow(
        'all',
        'all -> one with { text: "{{vars.initial_message}}" }',
        'all -> other',
        'one -> meet',
        'other -> meet',
        `meet -> home with ${from('meet')}`,
        'home -> done',
      ),
    world,
    says: ['go'],
    operate: [{ does: 'steer', at: 'one', text: 'faster' }],
  });
  expect(ending.replies).toEqual(['go, faster beside']);
  expect(ending.state.inbox).toEqual([]);
});

describe('a budget', () => {
  /** Each agent uses 95 tokens. */
  const spending = (): World => {
    const made = agents()();
    return {
      log: made.log,
      async *script(turn, host, inbox) {
        yield { type: 'usage', spend: { ...NO_SPEND, tokens: 95, costUsd: 0 }, cumulative: true };
        if (made.script !== undefined) yield* made.script(turn, host, inbox);
      },
    };
  };

  test('that is used up lets no further node start until a person allows more', async () => {
    const ending = await scenario({
      source: row('max_tokens: 100'),
      world: spending,
      says: ['hi'],
      answers: pause =>
        pause.kind === 'recovery' && pause.cause === 'budget' ? { do: 'answer', option: 'raise' } : null,
    });
    expect(ending.replies).toEqual(['two(one(hi))']);
    expect(ending.log).toEqual(['one', 'two']);
  });

  test('that nobody raises keeps the run where it is', async () => {
    const ending = await scenario({ source: row('max_tokens: 100'), world: spending, says: ['hi'] });
    expect(ending.open).toEqual(['recovery at two']);
    expect(ending.log).toEqual(['one']);
    // It was told once that four fifths are used.
    expect(ending.state.ledgers.warned).toEqual(['burst.tokens']);
  });

  test('of the whole conversation is raised by a command, and then resumed', async () => {
    const ending = await scenario({
      source: row('lifetime:\n      max_tokens: 100'),
      world: spending,
      says: ['hi'],
      operate: [{ does: 'raise', ledger: 'lifetime', axis: 'tokens', to: 1000 }, { does: 'resume' }],
    });
    expect(ending.replies).toEqual(['two(one(hi))']);
    expect(ending.state.ledgers.raised).toMatchObject([{ ledger: 'lifetime', axis: 'tokens', to: 1000 }]);
  });
});
