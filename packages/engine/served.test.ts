import { describe, expect, test } from 'vitest';
import { isModelNode } from './runnable.ts';
import { grantedServed, serversOf, serverOfTool } from './served.ts';
import { planOf } from './testing/plan-of.ts';
import type { Tool } from './tool.ts';

const main = (node: string, workflow: string): string => `mcp_server git:
  transport: stdio
  command: "git-server"

mcp_server web:
  transport: http
  url: "http://127.0.0.1:9/mcp"

agent a:
  model: "m"
${node}
workflow w:
  entry: a
${workflow}  a -> done
`;

function plan(node: string, workflow = '') {
  const made = planOf(main(node, workflow));
  const agent = made.nodes['a'];
  if (!isModelNode(agent)) throw new Error('no agent');
  return { made, agent };
}

const WORKFLOW = '  mcp:\n    servers: [git]\n';

describe('the servers of an agent', () => {
  test.each<[string, string, string[]]>([
    ['', '', ['git', 'web']],
    ['', WORKFLOW, ['git']],
    ['', '  mcp:\n    disable: [web]\n', ['git']],
    ['  mcp:\n    servers: [web]\n', WORKFLOW, ['git', 'web']],
    ['  mcp:\n    inherit: false\n    servers: [web]\n', WORKFLOW, ['web']],
    ['  mcp:\n    disable: [git]\n', WORKFLOW, []],
    ['  tools: [read_file]\n', '', []],
    ['  tools: [mcp.git.status]\n', '', ['git']],
    ['  tools: [mcp.web.*]\n', '', ['web']],
  ])('%j in %j are %j', (node, workflow, names) => {
    const { made, agent } = plan(node, workflow);
    expect(serversOf(made, agent).map(one => one.name)).toEqual(names);
  });
});

describe('of what is served an agent gets', () => {
  const tool = (name: string): Tool => ({
    name,
    description: '',
    input: {},
    mutates: false,
    idempotent: true,
    title: () => name,
    run: () => Promise.resolve({ content: null }),
  });
  const tools = ['mcp.git.status', 'mcp.git.log', 'mcp.web.get'].map(dotted => ({
    dotted,
    tool: tool(dotted),
  }));
  const served = { tools, close: () => Promise.resolve() };

  test.each<[string, string[]]>([
    ['', ['mcp.git.status', 'mcp.git.log', 'mcp.web.get']],
    ['  tools: [mcp.git.*]\n', ['mcp.git.status', 'mcp.git.log']],
    ['  tools: [mcp.git.log, read_file]\n', ['mcp.git.log']],
    ['  tools: [mcp.git.*]\n  tool_policy: [mcp.git.log]\n', ['mcp.git.log']],
    ['  tools: [read_file]\n', []],
  ])('%j: %j', (node, names) => {
    expect(grantedServed(plan(node).agent, served).map(one => one.name)).toEqual(names);
  });
});

test('a tool node names a server of the plan', () => {
  const { made } = plan('');
  expect(serverOfTool(made, 'mcp.git.status')?.name).toBe('git');
  expect(serverOfTool(made, 'mcp.svn.status')).toBeNull();
  expect(serverOfTool(made, 'list_issues')).toBeNull();
  expect(serverOfTool(made, null)).toBeNull();
});
