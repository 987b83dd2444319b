import type { Served, ServedTool, ToolServer, ToolServers } from '@hearth/engine/surroundings.ts';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type Environment, expandEnvironment } from '../environment.ts';
import { servedTool, type Told } from './served-tool.ts';
import { StdioConnection } from './stdio.ts';

/*
 * Tool servers of a bundle (MCP): programs on this machine, and servers over HTTP. They are connected for one effect and
 * ended with it, so that none outlives its work. The protocol's library is loaded when a server is first connected.
 */

/** How long a server may take to answer at the beginning, in milliseconds. */
const CONNECT_MS = 60_000;
/** The most tools of one server that are looked at, and the most pages on which it may tell them. */
const TOOLS = 500;
const PAGES = 50;

/** Tool servers whose `${NAME}` is filled from this environment. */
export function toolServers(env: Environment): ToolServers {
  const expand = (text: string): string => expandEnvironment(text, env);
  return {
    connect: async (servers, workspace, signal, secrets) => {
      const opened: Served[] = [];
      const close = async (): Promise<void> => {
        await Promise.all(opened.map(one => one.close().catch(() => undefined)));
      };
      try {
        for (const server of servers)
          opened.push(await open(server, expand, { workspace, env: secrets }, signal));
      } catch (error) {
        await close();
        throw error;
      }
      return { tools: distinct(opened.flatMap(one => one.tools)), close };
    },
  };
}

/** The tools without those that a model would see under the name of another: it could not tell them apart, and is refused. */
function distinct(tools: readonly ServedTool[]): readonly ServedTool[] {
  const names = new Map(tools.map(one => [one.tool.name, one] as const).toReversed());
  return tools.filter(one => names.get(one.tool.name) === one);
}

async function open(
  server: ToolServer,
  expand: (text: string) => string,
  {
    workspace,
    env,
  }: { readonly workspace: string; readonly env: Readonly<Record<string, string>> | undefined },
  signal: AbortSignal,
): Promise<Served> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client({ name: 'hearth', version: '0.1.0' }, { capabilities: {} });
  const stdio =
    server.transport === 'stdio'
      ? new StdioConnection<JSONRPCMessage>(
          [server.command ?? '', ...server.args].map(expand),
          workspace,
          env,
        )
      : null;
  try {
    const options = { signal, timeout: CONNECT_MS };
    await client.connect(stdio ?? (await overHttp(expand(server.url ?? ''))), options);
    const tools: ServedTool[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < PAGES && tools.length < TOOLS; pages += 1) {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, options);
      const told: readonly Told[] = page.tools.slice(0, TOOLS - tools.length);
      tools.push(
        ...told.map(one =>
          servedTool(server.name, one, (name, args, how) =>
            client.callTool({ name, arguments: args }, undefined, how),
          ),
        ),
      );
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    return { tools, close: () => client.close() };
  } catch (error) {
    await client.close().catch(() => undefined);
    const why = stdio?.errors ? ` It said: ${stdio.errors}` : '';
    const what = error instanceof Error ? error.message : 'unknown';
    throw new Error(`The tool server "${server.name}" cannot be used: ${what}.${why}`, { cause: error });
  }
}

async function overHttp(url: string) {
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  return new StreamableHTTPClientTransport(new URL(url));
}
