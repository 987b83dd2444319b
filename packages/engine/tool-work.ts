import type { ToolNode } from '@hearth/language/plan/node.ts';
import type { Lookup } from '@hearth/language/refs/rendering.ts';
import { refText } from '@hearth/language/refs/template-parser.ts';
import type { Secret } from '@hearth/language/plan/settings.ts';
import type { Value } from '@hearth/language/value.ts';
import { valueVariable } from './secret-source.ts';

/*
 * The text of a tool node's command or script. Values are put in once, quoted for where they stand, and never read again:
 * whatever a person or a model said is one word of the command and never a part of it.
 */

/** What makes a command a text for the shell; without any of it, it may name a registered tool. */
const SHELL = /[\s|&;><$`(){}"'/]/;

/** The name that a command consists of; `null` when it is a text for the shell or a script. */
export function toolName({ body }: ToolNode): string | null {
  const [only, ...rest] = body.text;
  if (body.is !== 'command' || typeof only !== 'string' || rest.length > 0) return null;
  const name = only.trim();
  return name === '' || SHELL.test(name) ? null : name;
}

/** What people are shown of it: the first line as its author wrote it, so that no value is in it. */
export function toolTitle({ body }: ToolNode): string {
  const text = body.text.map(part => (typeof part === 'string' ? part : refText(part))).join('');
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS)}…` : line;
}

const TITLE_CHARS = 120;

/**
 * The text to run. `expand` fills the environment into what the author wrote. A reference to nothing, and in a command
 * one to null, stays as it is written.
 */
export function toolText(
  { body }: ToolNode,
  lookup: Lookup,
  expand: (text: string) => string,
  secrets: readonly Secret[] = [],
): string {
  const quoted = quotingOf(body);
  return body.text
    .map(part => {
      if (typeof part === 'string') return expand(part);
      const secret = secretOf(part.path, secrets);
      if (secret !== null) return readingOf(body, valueVariable(secret), part.raw);
      const value = lookup(part);
      if (value === undefined) return refText(part);
      if (part.raw) return typeof value === 'string' ? value : JSON.stringify(value);
      return quoted(value) ?? refText(part);
    })
    .join('');
}

/** The secrets whose values a text names. A file's path is not its value. */
export function namedSecrets({ body }: ToolNode): ReadonlySet<string> {
  const named = body.text.flatMap(part =>
    typeof part !== 'string' && part.path[0] === 'secrets' && part.path.length === 2
      ? part.path.slice(1)
      : [],
  );
  return new Set(named);
}

function secretOf([root, name, part]: readonly string[], secrets: readonly Secret[]): Secret | null {
  if (root !== 'secrets' || part !== undefined) return null;
  return secrets.find(secret => secret.name === name) ?? null;
}

/** How a program reads a variable: the value of a secret is never a part of its text. */
function readingOf(body: ToolNode['body'], variable: string, raw: boolean): string {
  const shell = raw ? `\${${variable}}` : `"\${${variable}}"`;
  if (body.is === 'command') return shell;
  switch (body.language) {
    case 'sh':
    case 'bash':
      return shell;
    case 'py':
    case 'python':
    case 'python3':
      return `__import__('os').environ['${variable}']`;
    case 'js':
    case 'node':
      return `process.env['${variable}']`;
  }
}

/** A value as one word of the shell; a list of plain values as several; `null` when there is nothing to write. */
function shellWord(value: Value): string | null {
  if (value === null) return null;
  if (Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null))
    return value.map(item => single(plain(item))).join(' ');
  return single(plain(value));
}

function plain(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function single(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

type Quoting = (value: Value) => string | null;

function quotingOf(body: ToolNode['body']): Quoting {
  if (body.is === 'command') return shellWord;
  switch (body.language) {
    case 'sh':
    case 'bash':
      // A JSON text in double quotes would have its `$(…)` carried out.
      return value => shellWord(value) ?? 'null';
    case 'py':
    case 'python':
    case 'python3':
      return pythonLiteral;
    case 'js':
    case 'node':
      return value => JSON.stringify(value);
  }
}

/** JSON, with the words that Python has for three of its values. */
function pythonLiteral(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${pythonLiteral(one)}`);
  return `{${entries.join(', ')}}`;
}
