import type { BackendTurn } from '@hearth/engine/backend.ts';
import { SERVER } from '../own-tools/mcp.ts';

/* How tools are called: Hearth's as the program spells them, and the program's own. */

/** What tools of Hearth's begin with in the program. */
export const PREFIX = `mcp__${SERVER}__`;
/** The tool by which the program takes an answer of a form. */
export const ANSWER = 'StructuredOutput';
/** Questions of the program's own. */
export const QUESTION = 'AskUserQuestion';
/** Its plan, for which it wants approval. */
export const PLAN = 'ExitPlanMode';

/** Names that sources written elsewhere use for what the program does by itself. */
const ALIASES: Readonly<Record<string, string>> = {
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  todo_write: 'TodoWrite',
  agent: 'Task',
};

/** The program's own tools that are known; whatever a node does not name of them is forbidden by name too. */
const KNOWN: readonly string[] = [
  'Agent',
  'AskUserQuestion',
  'Bash',
  'BashOutput',
  'CronCreate',
  'Edit',
  'EnterPlanMode',
  'EnterWorktree',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'KillShell',
  'LSP',
  'MultiEdit',
  'NotebookEdit',
  'PowerShell',
  'Read',
  'SendMessage',
  'Skill',
  'SlashCommand',
  'Task',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'Workflow',
  'Write',
];

/** Those that only look. */
const READS: ReadonlySet<string> = new Set([
  'Glob',
  'Grep',
  'LSP',
  'Read',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  QUESTION,
  PLAN,
]);

/** A tool's name that the program can have; anything else could be read as something other than a name. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** The program's own tools that the node may use. */
export function nativeNames({ native = [] }: Pick<BackendTurn, 'native'>): readonly string[] {
  return [...new Set(native.map(name => ALIASES[name] ?? name))].filter(
    name => NAME.test(name) && !name.startsWith('mcp__'),
  );
}

/** What of the program's own is forbidden by name. */
export function forbiddenNames(native: readonly string[]): readonly string[] {
  return KNOWN.filter(name => !native.includes(name));
}

/** Whether a tool of the program's changes something; `null` when that is not known. */
export function mutates(name: string): boolean | null {
  if (READS.has(name)) return false;
  return KNOWN.includes(name) ? true : null;
}

/** Hearth's name of a tool of Hearth's; `null` for any other. */
export function ownName(name: string): string | null {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;
}
