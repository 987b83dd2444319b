import type { ToolCall } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { SERVER } from '../own-tools/mcp.ts';
import type { CallTold } from './wire.ts';

/*
 * What an agent's own calls are called. The protocol has kinds in place of names, and a title for people in which the whole
 * command may stand. Hearth's names for the kinds let rules mean the same here as on every backend.
 */

const KINDS: Readonly<Record<string, string>> = {
  execute: 'bash',
  read: 'read_file',
  edit: 'edit_file',
  delete: 'delete_file',
  move: 'move_file',
  search: 'grep',
  fetch: 'web_fetch',
};

/** A title that is the name of a tool, as of one that another server gives the agent. */
const NAME = /^[A-Za-z][\w.-]{0,127}$/;

/** The name of a call of the agent's own. */
export function toolName({ kind, title, _meta: meta }: CallTold): string {
  if (meta != null) return meta.claudeCode.toolName;
  if (kind != null && Object.hasOwn(KINDS, kind)) return KINDS[kind] ?? kind;
  return title != null && NAME.test(title) ? title : (kind ?? 'tool');
}

/** The call as a person is asked about it: what it is about has to be in it, since leave is for exactly that. */
export function toolCall(told: CallTold): ToolCall {
  return { id: told.toolCallId, name: toolName(told), args: argumentsOf(told) };
}

function argumentsOf({ rawInput, title, content, locations }: CallTold): JsonObject {
  if (rawInput != null && Object.keys(rawInput).length > 0) return rawInput;
  return {
    title: title ?? '',
    ...(content == null ? {} : { content }),
    ...(locations == null ? {} : { locations }),
  };
}

/** How agents spell a tool of Hearth's. */
export function spelled(name: string): readonly string[] {
  return [`mcp__${SERVER}__${name}`, `${SERVER}/${name}`, `${SERVER}.${name}`, `${SERVER}__${name}`];
}
