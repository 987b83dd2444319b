import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import { SERVER } from '../own-tools/mcp.ts';
import { denialsOf } from './denials.ts';
import { forbiddenNames, PREFIX } from './tool-names.ts';

/*
 * How the program is told of a turn. Arguments can be read by everybody on the machine: they hold names and switches. Words
 * and schemas go to it through its input.
 */

/** Which session the program goes on with. */
export type From = { readonly session: string; readonly fork: boolean } | null;

/**
 * Settings of a turn. A conversation is kept for as long as its person keeps it, and so is its session: the program would
 * drop it after weeks. What is closed to its tools is closed by path, and everything below.
 */
function settingsOf(closed: readonly string[]): JsonObject {
  const deny = denialsOf(closed);
  return { cleanupPeriodDays: 36_500, ...(deny.length === 0 ? {} : { permissions: { deny } }) };
}

/** The arguments of a turn; `closed` are paths that the program's own tools may not enter. */
export function argumentsOf(
  turn: Pick<BackendTurn, 'model' | 'maxSteps'>,
  tools: OwnTools,
  native: readonly string[],
  from: From,
  closed: readonly string[],
): readonly string[] {
  const { model, effort } = turn.model;
  const own = tools.grants.map(({ name }) => `${PREFIX}${name}`);
  const servers = JSON.stringify({ mcpServers: { [SERVER]: { type: 'sdk', name: SERVER } } });
  const words = [
    '-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages',
    // The system prompt is the turn's; the one that the session began with is not sent again.
    '--system-prompt-snapshot off',
    // Nothing of the person's or the project's settings, hooks, skills and servers takes part.
    '--restricted --strict-mcp-config --disable-slash-commands',
    // What is not decided before is asked through the pipes, and never by itself.
    '--permission-prompt-tool stdio --permission-mode default',
  ];
  return [
    ...words.join(' ').split(' '),
    '--setting-sources',
    '',
    '--settings',
    JSON.stringify(settingsOf(closed)),
    '--mcp-config',
    servers,
    '--tools',
    native.join(','),
    '--disallowedTools',
    forbiddenNames(native).join(','),
    '--max-turns',
    String(turn.maxSteps),
    ...(own.length === 0 ? [] : ['--allowedTools', own.join(',')]),
    ...(model === 'auto' ? [] : ['--model', model.replace(/^anthropic\//, '')]),
    ...(effort === null ? [] : ['--effort', effort]),
    ...(from === null ? [] : ['--resume', from.session, ...(from.fork ? ['--fork-session'] : [])]),
  ];
}

/** The names under which the program asks before and after each tool. */
export const GATE = 'gate';

/** The first line of its input. */
export function initialize(turn: Pick<BackendTurn, 'prompt' | 'output'>): JsonObject {
  const hook = [{ matcher: null, hookCallbackIds: [GATE] }];
  return {
    type: 'control_request',
    request_id: 'initialize',
    request: {
      subtype: 'initialize',
      sdkMcpServers: [SERVER],
      hooks: { PreToolUse: hook, PostToolUse: hook, PostToolUseFailure: hook },
      ...(turn.prompt.system.trim() === '' ? {} : { appendSystemPrompt: turn.prompt.system }),
      ...(turn.output === null ? {} : { jsonSchema: turn.output }),
    },
  };
}
