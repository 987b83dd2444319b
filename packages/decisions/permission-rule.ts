import { type Json, JsonObject, canonicalJson } from '@hearth/protocol/json.ts';

/*
 * Rules for tool calls: `Tool`, or `Tool(pattern)`. A pattern is looked for in what a call is about: the command of a shell,
 * the path of a file, the address of a page, and for any other tool all its arguments as canonical JSON. Pure.
 *
 * A rule that allows must be surer than one that guards. A shell command of several parts is guarded when one of the parts
 * fits, and allowed only when the rule is the whole command, word for word: `git status:*` must not allow
 * `git status; rm -rf .`.
 */

/** A call, as far as a rule looks at it. */
export interface RuledCall {
  readonly tool: string;
  readonly args: Json;
  /** An absolute path; those of files inside it are looked at as they are named from there. */
  readonly workspace?: string | null;
}

/** `allows`: a call that fits is let through; `guards`: it is asked about or denied. */
export type Sense = 'allows' | 'guards';

/** A rule in its two parts; `pattern` is null where any call of the tool fits. */
export interface Rule {
  readonly tool: string;
  readonly pattern: string | null;
}

/** Names that agent programs and sources written elsewhere use, and ours. */
const NAMES: Readonly<Record<string, string>> = {
  read: 'read_file',
  write: 'write_file',
  edit: 'edit_file',
  multiedit: 'edit_file',
  notebookedit: 'edit_file',
  file_edit: 'edit_file',
  webfetch: 'web_fetch',
  websearch: 'web_search',
  ls: 'list_files',
  shell: 'bash',
  local_shell: 'bash',
  exec_command: 'bash',
};

/** What a call of a tool is about, by the names of its arguments; the first that is there counts. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  bash: ['command'],
  read_file: ['path', 'file_path'],
  write_file: ['path', 'file_path'],
  edit_file: ['path', 'file_path', 'notebook_path'],
  list_files: ['path'],
  glob: ['pattern'],
  grep: ['pattern'],
  web_fetch: ['url'],
  web_search: ['query'],
  skill: ['name'],
};

const RULE = /^([A-Za-z0-9_.*-]+)(?:\(([\s\S]*)\))?$/;
/** The longest rule, in characters. */
export const LONGEST_RULE = 4096;

/** Reads a rule; null when the text is none. */
export function ruleOf(text: string): Rule | null {
  const [, tool, pattern] = (text.length <= LONGEST_RULE ? RULE.exec(text.trim()) : null) ?? [];
  if (tool === undefined) return null;
  return { tool: plainTool(tool), pattern: pattern === undefined || pattern === '*' ? null : pattern };
}

/** One name for a tool, whatever program calls it. */
export function plainTool(name: string): string {
  const dotted = name.startsWith('mcp.') ? `mcp__${name.slice(4).replace('.', '__')}` : name;
  const plain = dotted.toLowerCase();
  return Object.hasOwn(NAMES, plain) ? (NAMES[plain] ?? plain) : plain.replaceAll(/[^a-z0-9_*-]/g, '_');
}

/** Whether a call fits a rule; a text that is no rule fits nothing that is to be allowed and everything that is guarded. */
export function fits(text: string, call: RuledCall, sense: Sense): boolean {
  const rule = ruleOf(text);
  if (rule === null) return sense === 'guards';
  const tool = plainTool(call.tool);
  if (!matches(rule.tool, tool)) return false;
  if (rule.pattern === null) return true;
  const { pattern } = rule;
  const about = aboutOf(call);
  if (tool === 'bash') return fitsCommand(pattern, about, sense);
  if (tool === 'web_fetch' && pattern.startsWith('domain:'))
    return fitsDomain(pattern.slice('domain:'.length).trim().toLowerCase(), about);
  if (sense === 'allows' && FILES.has(tool) && about.split(/[\\/]/).includes('..')) return false;
  return [about, ...insideOf(call, about)].some(
    text => matches(pattern, text) || (pattern.endsWith(':*') && fitsPrefix(pattern, text)),
  );
}

/** The rule that fits this call and no other one: what "always" means when nobody says more. */
export function exactRule(call: RuledCall): string {
  return `${plainTool(call.tool)}(${aboutOf(call).replaceAll(/[\\*?]/g, String.raw`\$&`)})`;
}

/** What the call is about, as the pattern of a rule sees it. */
function aboutOf({ tool, args }: RuledCall): string {
  const read = JsonObject.safeParse(args);
  const names = ABOUT[plainTool(tool)] ?? [];
  for (const name of names) {
    const value = read.success ? read.data[name] : undefined;
    if (typeof value === 'string') return value;
  }
  return canonicalJson(args);
}

/** Tools whose calls are about a path. */
const FILES: ReadonlySet<string> = new Set(['read_file', 'write_file', 'edit_file', 'list_files']);

/** The path as it is named from the workspace, where it is inside it. */
function insideOf({ tool, workspace }: RuledCall, path: string): readonly string[] {
  if (!FILES.has(plainTool(tool))) return [];
  const root = workspace?.replace(/\/+$/, '') ?? '';
  const inner = root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return [inner.replaceAll(/\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/+)+/, '')];
}

/** Characters by which a shell command becomes several, or does more than run one program. */
const JOINED = /[;&|<>`\n\r]|\$\(/;

function fitsCommand(pattern: string, command: string, sense: Sense): boolean {
  if (literal(pattern) === command) return true;
  const one = (part: string): boolean =>
    pattern.endsWith(':*') ? fitsPrefix(pattern, part) : matches(pattern, part);
  if (sense === 'allows') return !JOINED.test(command) && one(spaced(command));
  return one(spaced(command)) || partsOf(command).some(one);
}

/** The simple commands of a command line, without the variables that are set before them. */
function partsOf(command: string): readonly string[] {
  return command
    .split(/[;&|<>`\n\r(){}]+|\$\(/)
    .map(part => spaced(part).replace(/^(?:\w+=\S* )+/, ''))
    .filter(part => part !== '');
}

function spaced(text: string): string {
  return text.trim().replaceAll(/[ \t]+/g, ' ');
}

/** `git push:*` fits `git push` and what begins with it as words. */
function fitsPrefix(pattern: string, text: string): boolean {
  const prefix = spaced(literal(pattern.slice(0, -':*'.length)) ?? pattern.slice(0, -':*'.length));
  return text === prefix || text.startsWith(prefix.endsWith(' ') ? prefix : `${prefix} `);
}

function fitsDomain(domain: string, address: string): boolean {
  // A dot at the end means the same host.
  const host = URL.parse(address)?.hostname.toLowerCase().replace(/\.$/, '') ?? '';
  if (domain.startsWith('*.')) return host.endsWith(domain.slice(1));
  return host === domain || host.endsWith(`.${domain}`);
}

/** A pattern without wildcards as the text that it stands for; null when it has any. */
function literal(pattern: string): string | null {
  if (/(?:^|[^\\])(?:\\\\)*[*?]/.test(pattern)) return null;
  return pattern.replaceAll(/\\([\\*?])/g, '$1');
}

/** Whether a text is what a pattern says, in which `*` is any text, `?` one character and `\` makes either plain. */
function matches(pattern: string, text: string): boolean {
  const tokens = pattern.match(/\\[\\*?]|[\s\S]/g) ?? [];
  // The place of the last star, and how far the text had been read there: linear memory, no backtracking machine.
  let [at, read, star, from] = [0, 0, -1, 0];
  while (read < text.length) {
    const token = tokens[at];
    if (token === '*') {
      [star, from] = [at, read];
      at += 1;
    } else if (token !== undefined && (token === '?' || token.at(-1) === text[read])) {
      at += 1;
      read += 1;
    } else if (star >= 0) {
      from += 1;
      [at, read] = [star + 1, from];
    } else return false;
  }
  while (tokens[at] === '*') at += 1;
  return at === tokens.length;
}
