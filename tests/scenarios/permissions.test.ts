import { session } from '@hearth/conversations/testing/sample-home.ts';
import type { Host } from '@hearth/engine/backend.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause, PermissionPause } from '@hearth/protocol/pause.ts';
import { expect, test } from 'vitest';
import { scenario, type World } from './harness.ts';
import { agent, flow, from, HEAD, home, text } from './parts.ts';

/* Leave for calls of tools: asked for one call at a time, given once or for good, over any crash. */

const source = (gate: string): string =>
  `dsl: 2\n\n${HEAD}${text('start', 'vars.initial_message')}${agent('bot', `  tools: [shelve]\n${gate}`)}${home()}${flow(
    'start',
    `start -> bot with ${from('start')}`,
    `bot -> home with ${from('bot')}`,
    'home -> bot as turns(9) with { text: "{{outputs.home.message}}" }',
  )}`;

/** An agent that shelves each word of what it is asked, all in one step, and says what came of it. */
const shelving = (): World => {
  const log: string[] = [];
  const shelve: Tool = {
    name: 'shelve',
    description: '',
    input: { type: 'object' },
    mutates: true,
    idempotent: false,
    title: () => 'shelve',
    run: ({ word }) => Promise.resolve({ content: `shelved ${log.push(JSON.stringify(word))}` }),
  };
  const call = async (host: Host, word: string) => {
    const { parks, error } = await host.call({ id: `call-${word}`, name: 'shelve', args: { word } });
    return parks === true ? 'waits' : error === undefined ? 'did' : 'denied';
  };
  return {
    log,
    tools: [shelve],
    async *script(turn, host) {
      yield session;
      const came: string[] = [];
      for (const word of turn.prompt.user.split(' ')) came.push(await call(host, word));
      if (came.includes('waits')) yield { type: 'parked', asks: [], permits: [] };
      else yield { type: 'done', output: { text: came.join(' ') }, text: '' };
    },
  };
};

const isPermission = (pause: Pause): pause is PermissionPause => pause.kind === 'permission';
const permit = (grant: 'once' | 'always' | 'deny', rule?: string): Act =>
  rule === undefined ? { do: 'permit', grant } : { do: 'permit', grant, rule };

test('each call of a step needs leave of its own, and exactly the allowed one is made', async () => {
  const ending = await scenario({
    source: source('  permission: ask\n'),
    world: shelving,
    leaves: true,
    says: ['red'],
    answers: pause => (isPermission(pause) ? permit('once') : null),
  });
  expect(ending.log).toEqual(['"red"']);
  expect(ending.replies).toEqual(['did']);
  expect(ending.state.rules).toEqual([]);
});

test('a denied call is never made, and the other one is', async () => {
  const ending = await scenario({
    source: source('  permission: ask\n'),
    world: shelving,
    leaves: true,
    says: ['red blue'],
    answers: pause => {
      if (!isPermission(pause)) return null;
      return permit(JSON.stringify(pause.call.args).includes('red') ? 'deny' : 'once');
    },
  });
  expect(ending.log).toEqual(['"blue"']);
  expect(ending.replies).toEqual(['denied did']);
});

test('what is allowed for good is a rule, and asks no more, over turns', async () => {
  const ending = await scenario({
    source: source('  permission: ask\n'),
    world: shelving,
    leaves: true,
    says: ['red', 'red', 'blue'],
    answers: pause => (isPermission(pause) && pause.rule.includes('red') ? permit('always') : null),
  });
  expect(ending.log).toEqual(['"red"', '"red"']);
  expect(ending.replies).toEqual(['did', 'did']);
  expect(ending.open).toEqual(['permission at bot']);
  expect(ending.state.rules).toMatchObject([{ rule: String.raw`shelve({"word":"red"})`, grant: 'always' }]);
});

test('a wider rule of the person’s own is kept as they wrote it, and never beats the bot’s deny', async () => {
  const ending = await scenario({
    source: source('  permission: ask\n  deny: ["shelve(*poison*)"]\n'),
    world: shelving,
    leaves: true,
    says: ['red', 'blue poison'],
    answers: pause => (isPermission(pause) ? permit('always', 'shelve') : null),
  });
  expect(ending.log).toEqual(['"red"', '"blue"']);
  expect(ending.replies).toEqual(['did', 'did denied']);
  expect(ending.state.rules).toMatchObject([{ rule: 'shelve' }]);
});

test('with `deny` only what a rule allows is called, and nobody is asked', async () => {
  const ending = await scenario({
    source: source('  permission: deny\n  allow: ["shelve(*red*)"]\n'),
    world: shelving,
    leaves: true,
    says: ['red blue'],
  });
  expect(ending.log).toEqual(['"red"']);
  expect(ending.replies).toEqual(['did denied']);
});

test('silence allows nothing', async () => {
  const ending = await scenario({
    source: source('  permission: ask\n'),
    world: shelving,
    says: ['red blue'],
  });
  expect(ending.log).toEqual([]);
  expect(ending.open).toEqual(['permission at bot', 'permission at bot']);
});
