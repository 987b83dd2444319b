import { basename, dirname, join, resolve } from 'node:path';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { checkBundle } from '@hearth/service/bots.ts';
import type { Invocation, Io } from './command.ts';
import { failureOf } from './errors.ts';
import { print, printJson } from './output.ts';
import { readSource } from './stdin.ts';
import { typedIn } from './workspace.ts';

/** A path and all that is to be said about the bot there. */
interface Checked {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** How `-` is called in diagnostics. */
const STDIN = 'stdin';

/** `hearth check`: needs no service and no credentials; exit code 1 when any of the bots has an error. */
export async function check(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const checked: Checked[] = [];
  const several = call.words.length > 1;
  for (const path of call.words) {
    const diagnostics = await diagnosticsOf(io, path).catch((error: unknown) => {
      // Of one path a sentence says enough. Of several, the others are checked all the same.
      if (several) return [unusable(path, error)];
      throw error;
    });
    checked.push({ path, diagnostics });
  }
  if (call.flag('json')) {
    const reports = checked.map(report);
    printJson(io, reports.length === 1 ? reports[0] : reports);
  } else {
    for (const one of checked) tell(io, one);
  }
  return checked.every(isOk) ? EXIT.done : EXIT.failed;
}

async function diagnosticsOf(io: Io, path: string): Promise<readonly Diagnostic[]> {
  if (path !== '-') return checkBundle(resolve(typedIn(io), path));
  return compileBundle({ main: await readSource(io), mainName: STDIN }).diagnostics;
}

/** What is said of a path at which no bot can be read. Throws what is no refusal. */
function unusable(path: string, error: unknown): Diagnostic {
  const { exit, message } = failureOf(error);
  if (exit !== EXIT.failed) throw error;
  return { code: 'H208', severity: 'error', message, file: basename(path), at: { line: 1, column: 1 } };
}

function isOk({ diagnostics }: Checked): boolean {
  return diagnostics.every(one => one.severity !== 'error');
}

/** One path as JSON. `file` is there only where the diagnostic is about another file than the bot's graph. */
function report(checked: Checked): object {
  return {
    path: checked.path,
    ok: isOk(checked),
    diagnostics: checked.diagnostics.map(({ code, severity, message, at, node, edge, fix, file }) => ({
      code,
      severity,
      line: at.line,
      column: at.column,
      ...(node === undefined ? {} : { node }),
      ...(edge === undefined ? {} : { edge }),
      message,
      ...(fix === undefined ? {} : { hint: fix }),
      ...(isGraph(file) ? {} : { file }),
    })),
  };
}

function isGraph(file: string): boolean {
  return file === STDIN || /\.(?:bot|iter)$/.test(file);
}

function tell(io: Io, { path, diagnostics }: Checked): void {
  for (const { file, at, code, severity, message, fix } of diagnostics) {
    const place = path === '-' ? file : placeOf(path, file);
    print(io, `${place}:${at.line}:${at.column} ${code} ${severity} ${message}`);
    if (fix !== undefined) print(io, `  fix: ${fix}`);
  }
  if (diagnostics.length === 0) print(io, `${path === '-' ? STDIN : path}: no errors`);
}

/** Where a file of a bundle is, as the person named the bundle: its directory, a packed one, or one of its files. */
function placeOf(path: string, file: string): string {
  if (file === basename(path)) return path;
  return join(isGraph(path) ? dirname(path) : path, file);
}
