/*
 * Fills the environment into what a bot says of its model and backend, in one pass: what was filled in is not read again,
 * so a variable's value can name no other variable. Pure, and linear in the text, which comes from whoever wrote the bot.
 */

/** Variables by name. One that is empty counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Open {
  /** As written, for a form that is never closed. */
  readonly written: string;
  readonly name: string;
  default: string;
}

const PARTS = /\$\{([A-Za-z_]\w*)(\}|:-)|\$([A-Za-z_]\w*)|\}|\$|[^$}]+/g;

/**
 * Expands `$NAME`, `${NAME}` and `${NAME:-default}`, where the default may hold such forms itself. An unset variable
 * without a default is empty. What is no such form stays as it was written.
 */
export function expandEnvironment(text: string, env: Environment): string {
  const valueOf = (name: string): string => (Object.hasOwn(env, name) ? (env[name] ?? '') : '');
  const open: Open[] = [];
  let done = '';
  const add = (part: string): void => {
    const inner = open.at(-1);
    if (inner) inner.default += part;
    else done += part;
  };
  for (const [part, braced, end, bare] of text.matchAll(PARTS)) {
    if (braced !== undefined && end === ':-') open.push({ written: part, name: braced, default: '' });
    else if (braced !== undefined) add(valueOf(braced));
    else if (bare !== undefined) add(valueOf(bare));
    else {
      const closed = part === '}' ? open.pop() : undefined;
      add(closed ? valueOf(closed.name) || closed.default : part);
    }
  }
  for (let unclosed = open.pop(); unclosed; unclosed = open.pop()) add(unclosed.written + unclosed.default);
  return done;
}

const KNOWN = /\$\{([A-Za-z_]\w*)(?::-((?:[^${}]|\$\{[^{}]*\})*))?\}/g;

/**
 * Expands `${NAME}` where the variable is set, and `${NAME:-default}`, in a text that a program reads afterwards. Anything
 * else is the program's own and stays as it is written.
 */
export function expandKnown(text: string, env: Environment): string {
  return text.replaceAll(KNOWN, (written: string, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    if (value !== '') return value;
    return fallback === undefined ? written : expandKnown(fallback, env);
  });
}
