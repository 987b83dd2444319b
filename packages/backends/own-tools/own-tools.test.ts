import type { Host } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolGrant, ToolResult } from '@hearth/engine/tool.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import { type ServedTurn, serveTurn } from './loopback.ts';
import { OwnTools } from './own-tools.ts';
import { bridgeTo } from './stdio-bridge.ts';

/* The tools of a turn, by themselves and as the protocol's own client finds them over both ways. */

const grant = (name: string, origin: ToolGrant['origin'] = 'hearth'): ToolGrant => ({
  name,
  description: `Does ${name}.`,
  input: { type: 'object', properties: { id: { type: 'string' } } },
  mutates: name !== 'list_issues',
  origin,
});

class Recorder implements Host {
  readonly calls: ToolCall[] = [];
  answer: (call: ToolCall) => ToolResult = call => ({ content: { did: call.name } });
  call(call: ToolCall): Promise<ToolResult> {
    this.calls.push(call);
    return Promise.resolve(this.answer(call));
  }
  permit(): Promise<'allow'> {
    return Promise.resolve('allow');
  }
}

const TOOLS = [grant('list_issues'), grant('close_issue'), grant('Bash', 'native')];

function made(mayAsk = true) {
  const host = new Recorder();
  return { host, tools: new OwnTools({ tools: TOOLS, mayAsk }, host) };
}

describe('a question', () => {
  test('is delivered at once, and nothing else is done any more but asking', async () => {
    const { host, tools } = made();
    expect(tools.parks).toBe(false);
    const delivered = await tools.call({ id: 'a', name: 'ask_user', args: { question: 'Which?' } });
    expect(delivered).toEqual({ text: expect.stringContaining('End your turn now'), failed: false });
    expect(tools.parks).toBe(true);
    const late = await tools.call({ id: 'b', name: 'close_issue', args: { id: 'HB-1' } });
    expect(late).toEqual({ text: expect.stringContaining('Not done'), failed: true });
    await tools.call({ id: 'c', name: 'ask_user', args: { question: 'And?', options: ['yes', 'no'] } });
    expect(host.calls).toEqual([]);
    expect(tools.called).toBe(false);
    expect(tools.asks).toMatchObject([
      { call: 'a', text: 'Which?', allowFreeText: true },
      { call: 'c', text: 'And?', options: [{ id: 'yes' }, { id: 'no' }], allowFreeText: false },
    ]);
  });

  test('that cannot be read is none', async () => {
    const { tools } = made();
    const wrong = await tools.call({ id: 'a', name: 'ask_user', args: { question: ' ' } });
    expect(wrong.failed).toBe(true);
    expect(tools.parks).toBe(false);
  });

  test('of an agent that may not ask is a call like any other, for the host to refuse', async () => {
    const { host, tools } = made(false);
    expect(tools.grants.map(tool => tool.name)).toEqual(['list_issues', 'close_issue']);
    await tools.call({ id: 'a', name: 'ask_user', args: { question: 'Which?' } });
    expect(host.calls).toHaveLength(1);
    expect(tools.parks).toBe(false);
  });
});

test('a result that is still to come parks too, and an error is told as one', async () => {
  const { host, tools } = made();
  host.answer = () => ({ content: null, error: 'There is no such ticket.' });
  expect(await tools.call({ id: 'a', name: 'close_issue', args: {} })).toEqual({
    text: 'There is no such ticket.',
    failed: true,
  });
  host.answer = () => ({ content: null, parks: true });
  expect(await tools.call({ id: 'b', name: 'await_answers', args: {} })).toMatchObject({ failed: false });
  expect(tools.parks).toBe(true);
});

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

type Way = (turn: ServedTurn) => ConstructorParameters<typeof StdioClientTransport>[0] | URL;

const ways: Readonly<Record<string, Way>> = {
  'HTTP on loopback': turn => new URL(turn.address),
  'the pipes of a program': turn => {
    const { command, args, env } = bridgeTo(turn);
    return { command, args: [...args], env: { ...env } };
  },
};

async function client(turn: ServedTurn, way: Way): Promise<Client> {
  const found = new Client({ name: 'test', version: '1' });
  const where = way(turn);
  const headers = { authorization: `Bearer ${turn.secret}` };
  const transport =
    where instanceof URL
      ? new StreamableHTTPClientTransport(where, { requestInit: { headers } })
      : new StdioClientTransport(where);
  await found.connect(transport as Parameters<Client['connect']>[0]);
  open.push(found);
  return found;
}

describe.each(Object.entries(ways))('over %s', (_, way) => {
  test('the protocol finds the tools, calls them side by side, and is told of errors', async () => {
    const { host, tools } = made();
    const turn = await serveTurn(tools);
    open.push(turn);
    const found = await client(turn, way);
    const listed = await found.listTools();
    expect(listed.tools.map(tool => tool.name)).toEqual(['list_issues', 'close_issue', 'ask_user']);
    expect(listed.tools[0]?.annotations).toEqual({ readOnlyHint: true });
    const answers = await Promise.all(
      ['HB-1', 'HB-2'].map(id => found.callTool({ name: 'close_issue', arguments: { id } })),
    );
    expect(answers).toMatchObject([
      { content: [{ type: 'text', text: '{"did":"close_issue"}' }], isError: false },
      { isError: false },
    ]);
    expect(host.calls.map(call => call.args)).toEqual(
      expect.arrayContaining([{ id: 'HB-1' }, { id: 'HB-2' }]),
    );
    expect(new Set(host.calls.map(call => call.id)).size).toBe(2);
    await found.ping();
    await expect(found.listPrompts()).rejects.toThrow();
    expect(await found.callTool({ name: 'ask_user', arguments: { question: 'Which?' } })).toMatchObject({
      isError: false,
    });
    expect(tools.parks).toBe(true);
  });
});

test('without the secret, from a browser, or with too much, nothing is said', async () => {
  const { host, tools } = made();
  const turn = await serveTurn(tools);
  open.push(turn);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'close_issue' },
  });
  const ask = async (headers: Record<string, string>, text = body): Promise<number> =>
    (await fetch(turn.address, { method: 'POST', headers, body: text })).status;
  const known = { authorization: `Bearer ${turn.secret}` };
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: `Bearer ${turn.secret}x` })).toBe(401);
  expect(await ask({ ...known, origin: turn.address })).toBe(401);
  expect(await ask(known, 'no JSON')).toBe(400);
  expect(await ask(known, `"${'x'.repeat(4 * 1024 * 1024)}"`)).toBe(413);
  expect((await fetch(turn.address, { headers: known })).status).toBe(405);
  expect(host.calls).toEqual([]);
  expect(await ask(known)).toBe(200);
});
