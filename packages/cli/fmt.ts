import { relative, resolve } from 'node:path';
import { format } from '@hearth/language/format/format.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { CommandError, type Invocation, type Io, UsageError } from './command.ts';
import { print } from './output.ts';
import { readSourceFile, replaceSource, sourcesAt } from './source-files.ts';
import { readSource } from './stdin.ts';
import { typedIn } from './workspace.ts';

/**
 * `hearth fmt`: formats sources where they are and names those that changed. `--check` changes none and exits with 1
 * when it would; `--stdin`, or `-`, goes from stdin to stdout. A source that cannot be formatted is left alone, told
 * about on stderr, and makes the exit code 1; the others are formatted all the same.
 */
export async function fmt(call: Invocation): Promise<ExitCode> {
  const { io, words } = call;
  const piped = call.flag('stdin') || words.includes('-');
  const paths = words.filter(word => word !== '-');
  if (piped && paths.length > 0) throw new UsageError('"hearth fmt --stdin" takes no paths: leave them out.');
  if (!piped && paths.length === 0)
    throw new UsageError('"hearth fmt" needs PATH… or --stdin: name what to format.');
  const checks = call.flag('check');
  if (piped) return formatStdin(io, checks);
  const files = new Set<string>();
  for (const path of paths) for (const file of await sourcesAt(resolve(typedIn(io), path))) files.add(file);
  let [changed, broken] = [false, false];
  for (const file of files) {
    try {
      if (await formatFile(io, file, checks)) changed = true;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      broken = true;
      io.stderr.write(`hearth: ${sanitiseLine(error.message)}\n`);
    }
  }
  return broken || (checks && changed) ? EXIT.failed : EXIT.done;
}

/** Formats one file, or only says whether it would change. Rejects with a `CommandError` when it cannot be formatted. */
async function formatFile(io: Io, file: string, checks: boolean): Promise<boolean> {
  const name = nameOf(io, file);
  const source = await readSourceFile(file);
  const text = formatted(source, name);
  if (text === source) return false;
  if (!checks) await replaceSource(file, text);
  print(io, name);
  return true;
}

async function formatStdin(io: Io, checks: boolean): Promise<ExitCode> {
  const source = await readSource(io);
  const text = formatted(source, 'stdin');
  // The person's own text goes back as it is, and not as words that are shown.
  if (!checks) io.stdout.write(text);
  return checks && text !== source ? EXIT.failed : EXIT.done;
}

/** The text of a source, laid out. */
function formatted(source: string, name: string): string {
  const result = format(source, name);
  if (result.is === 'formatted') return result.text;
  const [first, ...others] = result.errors;
  const place =
    first === undefined ? '' : `:${first.at.line}:${first.at.column} ${first.code} ${first.message}`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new CommandError(EXIT.failed, 'broken_source', `${name}${place}${more}; the file is left as it is.`);
}

/** The path as the person would type it, when it is below where they stand. */
function nameOf(io: Io, file: string): string {
  const near = relative(typedIn(io), file);
  return near.startsWith('..') ? file : near;
}
