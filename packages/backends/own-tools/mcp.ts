import { type Json, JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';
import type { OwnTools } from './own-tools.ts';

/*
 * The tools in the words of the Model Context Protocol, without a way to carry them: one message comes in, at most one goes
 * out. Only what serving tools needs is spoken; anything else is said to be unknown, as the protocol asks.
 */

/** The server's name, and with it the beginning of its tools' names in programs that spell them out. */
export const SERVER = 'hearth';
/** Versions that are spoken, the newest first. */
const VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const Request = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: JsonObject.catch({}),
});

const Call = z.looseObject({
  name: z.string(),
  arguments: JsonObject.catch({}),
  _meta: z.looseObject({ 'claudecode/toolUseId': z.string().exactOptional() }).catch({}),
});

/** Answers one message; `null` for a notification. `newId` makes ids for calls that come without one of the program's own. */
export async function answered(
  tools: OwnTools,
  newId: () => string,
  message: JsonObject,
): Promise<JsonObject | null> {
  const read = Request.safeParse(message);
  if (!read.success) return null;
  const { id, method, params } = read.data;
  const reply = await resultOf(tools, newId, method, params);
  if (reply === null) {
    return { jsonrpc: '2.0', id, error: { code: -32601, message: `There is no method "${method}" here.` } };
  }
  return { jsonrpc: '2.0', id, result: reply };
}

async function resultOf(
  tools: OwnTools,
  newId: () => string,
  method: string,
  params: JsonObject,
): Promise<JsonObject | null> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: VERSIONS.find(one => one === params['protocolVersion']) ?? VERSIONS[0] ?? '',
        capabilities: { tools: {} },
        serverInfo: { name: SERVER, version: '1' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: tools.grants.map(described) };
    case 'tools/call':
      return await called(tools, newId, params);
    default:
      return null;
  }
}

function described({ name, description, input, mutates }: OwnTools['grants'][number]): JsonObject {
  const schema: Json = { type: 'object', ...input };
  return { name, description, inputSchema: schema, annotations: { readOnlyHint: !mutates } };
}

async function called(tools: OwnTools, newId: () => string, params: JsonObject): Promise<JsonObject> {
  const read = Call.safeParse(params);
  if (!read.success) return content('The call names no tool.', true);
  const { name, arguments: args, _meta: meta } = read.data;
  const { text, failed } = await tools.call({ id: meta['claudecode/toolUseId'] ?? newId(), name, args });
  return content(text, failed);
}

function content(text: string, isError: boolean): JsonObject {
  return { content: [{ type: 'text', text }], isError };
}
