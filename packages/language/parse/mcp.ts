import { type Block, readBlock } from './header.ts';
import { block, bool, ids, str, strs, words } from './kinds.ts';
import type { Parser } from './parser.ts';

/** The tool servers that a node or the workflow may use. */
export const mcp = block({ autoload_project: bool, inherit: bool, servers: ids, disable: ids });

const MCP_SERVER = {
  transport: words(['stdio', 'http', 'sse']),
  command: str,
  args: strs,
  url: str,
  auth: block(
    { type: str, auth_url: str, token_url: str, revoke_url: str, client_id: str, scopes: strs },
    { stray: 'E012', colonFirst: true },
  ),
} as const;

/** `mcp_server NAME:` as written. */
export type McpServerSyntax = Block<'mcp_server', typeof MCP_SERVER>;

/** Reads `mcp_server NAME:` and its properties; `undefined` when nothing of it can be kept. */
export function readMcpServer(parser: Parser): McpServerSyntax | undefined {
  return readBlock(parser, 'mcp_server', MCP_SERVER, 'checked later');
}
