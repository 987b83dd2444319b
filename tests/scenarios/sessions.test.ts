import { session } from '@hearth/conversations/testing/sample-home.ts';
import { describe, expect, test } from 'vitest';
import { scenario, type World } from './harness.ts';
import { agent, flow, from, HEAD, home, text } from './parts.ts';

/* Sessions: how an agent's begins in each turn, and what is not taken for one. */

/** A bot that goes home after each message; the loop brings it `keys` besides the message. */
const source = (mode: string, keys = ''): string =>
  `dsl: 2\n\n${HEAD}${text('start', 'vars.initial_message')}${agent('bot', `  session: ${mode}\n`)}${home()}${flow(
    'start',
    `start -> bot with ${from('start')}`,
    `bot -> home with ${from('bot')}`,
    `home -> bot as turns(9) with { text: "{{outputs.home.message}}"${keys} }`,
  )}`;

/** Notes how each session begins. */
const noting = (): World => {
  const log: string[] = [];
  return {
    log,
    async *script(turn) {
      const { session: start } = turn;
      log.push(`${turn.prompt.user}: ${start.mode}${start.mode === 'fresh' ? '' : ` ${start.id}`}`);
      yield session;
      yield { type: 'done', output: { text: turn.prompt.user }, text: '' };
    },
  };
};

const ID = ', _session_id: "{{outputs.bot._session_id}}"';
const BOTH = `${ID}, _session_fingerprint: "{{outputs.bot._session_fingerprint}}"`;
const says = ['one', 'two', 'three'];

describe('in each turn an agent', () => {
  test.each<[string, string, string, string]>([
    ['begins anew without a word', 'fresh', BOTH, 'fresh'],
    ['begins anew where only artifacts count', 'artifacts_only', BOTH, 'fresh'],
    ['goes on in what the edge brings', 'inherit', BOTH, 'resume s'],
    ['goes on by the id alone', 'inherit_if_available', ID, 'resume s'],
    ['goes on in a copy', 'fork', BOTH, 'fork s'],
    ['does not copy what nobody signed', 'fork', ID, 'fresh'],
    ['forgets what no edge brings', 'inherit_if_available', '', 'fresh'],
    ['goes on in what the run keeps', 'persist', '', 'resume s'],
    ['shares what the run keeps', 'persist\n  session_slot: notes', '', 'resume s'],
  ])('%s', async (_what, mode, keys, then) => {
    const ending = await scenario({ source: source(mode, keys), world: noting, says });
    expect(ending.log).toEqual(['one: fresh', `two: ${then}`, `three: ${then}`]);
    expect(ending.replies).toEqual(says);
  });
});

test('an agent for which only artifacts count knows what was published, and nothing else', async () => {
  const ending = await scenario({
    source: `dsl: 2\n\n${HEAD}${text('start', 'vars.initial_message')}${agent('bot', '  publish: note\n')}${agent('reader', '  session: artifacts_only\n')}${home()}${flow(
      'start',
      `start -> bot with ${from('start')}`,
      'bot -> reader with { text: "read" }',
      `reader -> home with ${from('reader')}`,
    )}`,
    world: noting,
    says: ['hi'],
  });
  expect(ending.log).toEqual(['hi: fresh', '[hearth] Published as note:\nhi\n\nread: fresh']);
});

describe('an id that no agent gave', () => {
  const forged = ', _session_id: "s", _session_fingerprint: "f"';
  const typed = ', _session_id: "{{outputs.home.message}}"';

  test('stops a node that insists, until a person decides', async () => {
    const ending = await scenario({
      source: source('inherit', typed),
      world: noting,
      says: ['one', 'stolen'],
      answers: () => null,
    });
    expect(ending.open).toEqual(['recovery at bot']);
    expect(ending.state.machine.pauses).toMatchObject([{ cause: 'session_lost', code: 'session_lost' }]);
    expect(ending.log).toEqual(['one: fresh']);
  });

  test('is replaced in the open where it does not insist', async () => {
    const ending = await scenario({
      source: source('inherit_if_available', typed),
      world: noting,
      says: ['one', 'stolen'],
    });
    expect(ending.log).toEqual(['one: fresh', 'stolen: fresh']);
    expect(ending.outputs['bot']).toMatchObject({ _session_degraded: true });
    expect(ending.state.machine.session).toMatchObject({ degraded: true });
  });

  test('is one by its value, wherever it was written', async () => {
    const ending = await scenario({ source: source('inherit', forged), world: noting, says: ['one', 'two'] });
    // The literal is what the agent's own session is called, so it names nothing else.
    expect(ending.log).toEqual(['one: fresh', 'two: resume s']);
  });
});
