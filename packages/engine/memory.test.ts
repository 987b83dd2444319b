import { expect, test } from 'vitest';
import { ALL_CAPABILITIES, type Backend } from './backend.ts';
import { givenMemory, type Memories } from './memory.ts';
import { isModelNode, type ModelNode } from './runnable.ts';
import { planOf } from './testing/plan-of.ts';
import type { Tool } from './tool.ts';

const tool = (name: string): Tool => ({
  name,
  description: '',
  input: {},
  mutates: false,
  idempotent: true,
  title: () => name,
  run: () => Promise.resolve({ content: null }),
});
const memories: Memories = {
  open: ({ scope }, { bot, workspace }) => ({
    tools: [tool('memory_read'), tool('memory_write')],
    opening: () => Promise.resolve(`${scope} of ${bot} in ${workspace}`),
  }),
};
const PLACE = { workspace: '/project', bot: 'keeper' };

function nodeOf(properties: string): ModelNode {
  const main = `agent a:\n  model: "m"\n${properties}\nworkflow w:\n  entry: a\n  a -> done\n`;
  const node = planOf(main).nodes['a'];
  if (!isModelNode(node)) throw new Error('no agent');
  return node;
}

function given(properties: string, memory: boolean, known: Memories | undefined = memories) {
  const capabilities = memory ? { ...ALL_CAPABILITIES, memory: true as const } : ALL_CAPABILITIES;
  const backend: Pick<Backend, 'name' | 'capabilities'> = { name: 'b', capabilities };
  return givenMemory(nodeOf(properties), PLACE, known, backend);
}

const MEMORY = '  memory:\n    enabled: true\n    scope: "x"\n';

test('a node gets the tools and the beginning of its memory, where its backend reads it', async () => {
  const found = await given(`${MEMORY}    pre_compact_inject: true\n`, true);
  expect(found.turn).toEqual({ memory: { text: '[hearth] x of keeper in /project', again: true } });
  expect(found.tools.map(one => one.name)).toEqual(['memory_read', 'memory_write']);
  expect(found.unread).toBeNull();
});

test('a node that may not read begins with nothing; a policy bounds the tools', async () => {
  const found = await given(`${MEMORY}    read: false\n  tool_policy: [memory_write]\n`, true);
  expect(found.turn).toEqual({});
  expect(found.tools.map(one => one.name)).toEqual(['memory_write']);
});

test('elsewhere it is said that nothing is read; a node without memory says nothing', async () => {
  expect(await given(MEMORY, false)).toMatchObject({
    tools: [],
    turn: {},
    unread: expect.stringContaining('"a"'),
  });
  expect(await given('', true)).toEqual({ tools: [], turn: {}, unread: null });
});
