import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Served, ToolServer } from '@hearth/engine/surroundings.ts';
import type { ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleServer } from '../testing/tool-server.ts';
import { resultOf } from './served-tool.ts';
import { toolServers } from './servers.ts';

const PROGRAM = fileURLToPath(new URL('../testing/tool-server.ts', import.meta.url));

let root = '';
let served: Served | null = null;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-servers-')));
});

afterEach(async () => {
  await served?.close();
  served = null;
  rmSync(root, { recursive: true, force: true });
});

const program = (args: readonly string[], command = process.execPath): ToolServer => ({
  name: 'sample',
  transport: 'stdio',
  command,
  args,
  url: null,
  auth: null,
});

async function connected(
  server: ToolServer,
  env: Record<string, string> = {},
  secrets: Record<string, string> = {},
): Promise<Served> {
  served = await toolServers(env).connect([server], root, new AbortController().signal, secrets);
  return served;
}

function call(
  name: string,
  args: JsonObject = {},
  signal = new AbortController().signal,
): Promise<ToolResult> {
  const tool = served?.tools.find(({ dotted }) => dotted === `mcp.sample.${name}`)?.tool;
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool.run(args, { effect: 'e1', node: 'n', workspace: root, author: 'a', signal });
}

describe('a program', () => {
  test('offers its tools under names that models take, and answers', async () => {
    const { tools } = await connected(program([PROGRAM, 'serve']));
    expect(tools.map(({ dotted, tool }) => [dotted, tool.name, tool.mutates, tool.idempotent])).toEqual([
      ['mcp.sample.add', 'mcp__sample__add', false, true],
      ['mcp.sample.note', 'mcp__sample__note', true, false],
      ['mcp.sample.fail', 'mcp__sample__fail', true, false],
      ['mcp.sample.environment', 'mcp__sample__environment', true, false],
      ['mcp.sample.slow', 'mcp__sample__slow', true, false],
      ['mcp.sample.end', 'mcp__sample__end', true, false],
    ]);
    expect(tools[0]?.tool.input).toMatchObject({ type: 'object', required: ['a', 'b'] });
    expect(await call('add', { a: 2, b: 3 })).toEqual({ content: { sum: 5 } });
    expect(await call('note', { word: 'pears' })).toEqual({ content: 'noted pears\n[image left out]' });
    expect(await call('fail')).toEqual({ content: null, error: 'it is broken' });
    expect((await call('add', { a: 'x' })).error).toContain('Invalid');
  });

  test('works in the workspace and sees no key; what the bot says of it is filled in', async () => {
    process.env['MY_API_KEY'] = 'secret-key-1';
    try {
      await connected(program([PROGRAM, '${HOW:-serve}'], '${NODE}'), { NODE: process.execPath });
      expect(await call('environment')).toEqual({ content: { cwd: root, key: null } });
    } finally {
      delete process.env['MY_API_KEY'];
    }
  });

  test('sees a secret that its bot gives it', async () => {
    await connected(program([PROGRAM, 'serve']), {}, { MY_API_KEY: 'given-key-1' });
    expect(await call('environment')).toEqual({ content: { cwd: root, key: 'given-key-1' } });
  });

  test('is gone when the connection ends, and a call that is stopped ends', async () => {
    const pid = join(root, 'pid');
    await connected(program([PROGRAM, 'serve', pid]));
    const stop = new AbortController();
    const slow = call('slow', {}, stop.signal);
    stop.abort();
    await expect(slow).rejects.toThrow();
    await served?.close();
    expect(alive(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  test('that ends at once is told with what it said', async () => {
    const broken = connected(program(['-e', 'console.error("no licence"); process.exit(3)']));
    await expect(broken).rejects.toThrow(/The tool server "sample" cannot be used: .*It said: no licence/s);
  });

  test('that ends in the middle of a call is told at once, and so is one that never ends a line', async () => {
    await connected(program([PROGRAM, 'serve']));
    await expect(call('end')).rejects.toThrow('closed');
    const endless = 'process.stdout.write("x".repeat(17 * 1024 * 1024)); setInterval(() => undefined, 1000)';
    await expect(connected(program(['-e', endless]))).rejects.toThrow('It said: a line of more than 16 MiB');
  });

  test('that tells of its tools without an end, and of two under one name, is heard so far', async () => {
    const endless = `
      let asked = 0;
      const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
        const { id, method } = JSON.parse(line);
        const inputSchema = { type: 'object' };
        const tools = (asked += 1) > 3 ? [] : [{ name: 'a.b', inputSchema }, { name: 'a_b', inputSchema }];
        const serverInfo = { name: 'sample', version: '1' };
        const began = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
        if (method === 'initialize') answer(id, began);
        if (method === 'tools/list') answer(id, { tools, nextCursor: 'more' });
      });
    `;
    const { tools } = await connected(program(['-e', endless]));
    expect(tools.map(({ dotted, tool }) => [dotted, tool.name])).toEqual([
      ['mcp.sample.a.b', 'mcp__sample__a_b'],
    ]);
  });

  test('that is not there is told', async () => {
    await expect(connected(program([], join(root, 'nothing')))).rejects.toThrow('cannot be used');
  });
});

test('a server over HTTP offers its tools', async () => {
  const http = createServer((request, response) => {
    void (async () => {
      const transport = new StreamableHTTPServerTransport({});
      const server = sampleServer();
      // The library's own types disagree about what is undefined.
      await server.connect(transport as Parameters<typeof server.connect>[0]);
      await transport.handleRequest(request, response);
    })();
  });
  await new Promise<void>(resolve => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : 0;
  try {
    await connected({
      name: 'sample',
      transport: 'http',
      command: null,
      args: [],
      url: `http://127.0.0.1:${port}/mcp`,
      auth: null,
    });
    expect(await call('add', { a: 20, b: 22 })).toEqual({ content: { sum: 42 } });
  } finally {
    await served?.close();
    served = null;
    http.closeAllConnections();
    await new Promise(resolve => {
      http.close(resolve);
    });
  }
});

test.each<[string, unknown, ToolResult]>([
  ['what is structured', { content: [], structuredContent: { a: 1 } }, { content: { a: 1 } }],
  ['plain words', { content: [{ type: 'text', text: 'hello' }] }, { content: 'hello' }],
  ['words that only look like JSON', { content: [{ type: 'text', text: '[sic]' }] }, { content: '[sic]' }],
  ['nothing at all', null, { content: '' }],
  ['a failure without words', { content: [], isError: true }, { content: null, error: 'The tool failed.' }],
])('of an answer, %s is passed on', (_, answer, expected) => expect(resultOf(answer)).toEqual(expected));

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
