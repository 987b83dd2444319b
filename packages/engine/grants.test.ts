import { expect, test } from 'vitest';
import { grantedTools, nativeTools, unlistedTools } from './grants.ts';
import { isModelNode } from './runnable.ts';
import { planOf } from './testing/plan-of.ts';
import type { Tool } from './tool.ts';

const tool = (name: string, capability?: string): Tool => ({
  name,
  description: '',
  input: {},
  mutates: false,
  idempotent: true,
  title: () => name,
  run: () => Promise.resolve({ content: null }),
  ...(capability === undefined ? {} : { capability }),
});

const skill = tool('skill');
const tools = [tool('read_file'), tool('edit_file'), tool('bash'), tool('get_issue', 'board.read'), skill];

function granted(properties: string): string[] {
  const main = `agent a:\n  model: "m"\n${properties}\nworkflow w:\n  entry: a\n  a -> done\n`;
  const node = planOf(main).nodes['a'];
  return isModelNode(node) ? grantedTools(node, tools).map(one => one.name) : [];
}

test.each<[string, string[]]>([
  ['  tools: [read_file, bash]\n', ['read_file', 'bash']],
  ['  tools: [read_file, bash]\n  tool_policy: [read_file]\n', ['read_file']],
  ['  tools: [file_edit]\n  tool_policy: [file_edit]\n', ['edit_file']],
  ['  tool_policy: [bash]\n', []],
  ['  capabilities: [board.read]\n', ['get_issue']],
  ['  capabilities: [board.read]\n  tool_policy: [bash]\n', []],
  ['  tools: [bash]\n  tool_policy: [ba.*]\n', []],
  // Sources written for another program name the bundle's skills by that program's tool.
  ['  tools: [Skill]\n', ['skill']],
])('%j grants %j', (properties, expected) => expect(granted(properties)).toEqual(expected));

test.each<[string, string[]]>([
  ['  tools: [read_file, Bash, WebSearch, "mcp.git.log"]\n', ['Bash', 'WebSearch']],
  ['  tools: [Bash, WebSearch]\n  tool_policy: [Bash]\n', ['Bash']],
  ['  tools: [file_edit]\n', []],
  ['', []],
])('%j names %j of a program of its own', (properties, expected) => {
  const main = `agent a:\n  model: "m"\n${properties}\nworkflow w:\n  entry: a\n  a -> done\n`;
  const node = planOf(main).nodes['a'];
  expect(isModelNode(node) ? nativeTools(node, tools) : null).toEqual(expected);
});

test.each<[string, boolean, string[]]>([
  ['', false, ['skill']],
  ['', true, []],
  ['  tools: [bash]\n', false, []],
  ['  tool_policy: [bash]\n', false, []],
])(
  "%j with a boundary of tools: %j, gets of the bundle's own without naming it %j",
  (properties, toolBoundary, expected) => {
    const main = `agent a:\n  model: "m"\n${properties}\nworkflow w:\n  entry: a\n  a -> done\n`;
    const node = planOf(main).nodes['a'];
    const unlisted = isModelNode(node) ? unlistedTools(node, [skill], { toolBoundary }) : [];
    expect(unlisted.map(one => one.name)).toEqual(expected);
  },
);
