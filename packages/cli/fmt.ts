import { relative, resolve } from 'node:path';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import { format } from '@hearth/language/format/format.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { type Invocation, type Io, UsageError } from './command.ts';
import { print } from './output.ts';
import { readSourceFile, replaceSource, sourcesAt } from './source-files.ts';
import { readSource } from './stdin.ts';
import { typedIn } from './workspace.ts';

/**
 * `hearth fmt`: formats sources where they are and names those that changed. `--check` changes none and exits with 1
 * when it would; `--stdin`, or `-`, goes from stdin to stdout. A source with errors of syntax is left alone, told about
 * on stderr, and makes the exit code 1.
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
    const name = nameOf(io, file);
    const source = await readSourceFile(file);
    const result = format(source, name);
    if (result.is === 'broken') {
      broken = true;
      complain(io, name, result.errors);
    } else if (result.text !== source) {
      changed = true;
      if (!checks) await replaceSource(file, result.text);
      print(io, name);
    }
  }
  return broken || (checks && changed) ? EXIT.failed : EXIT.done;
}

async function formatStdin(io: Io, checks: boolean): Promise<ExitCode> {
  const source = await readSource(io);
  const result = format(source, 'stdin');
  if (result.is === 'broken') {
    complain(io, 'stdin', result.errors);
    return EXIT.failed;
  }
  // The person's own text goes back as it is, and not as words that are shown.
  if (!checks) io.stdout.write(result.text);
  return checks && result.text !== source ? EXIT.failed : EXIT.done;
}

function complain(io: Io, name: string, errors: readonly Diagnostic[]): void {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const place =
    first === undefined ? '' : `:${first.at.line}:${first.at.column} ${first.code} ${first.message}`;
  io.stderr.write(`hearth: ${sanitiseLine(`${name}${place}${more}`)}; the file is left as it is.\n`);
}

/** The path as the person would type it, when it is below where they stand. */
function nameOf(io: Io, file: string): string {
  const near = relative(typedIn(io), file);
  return near.startsWith('..') ? file : near;
}
