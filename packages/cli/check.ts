import { dirname, join, resolve } from 'node:path';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { checkBundle } from '@hearth/service/bots.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { typedIn } from './workspace.ts';

/** `hearth check`: needs no service and no credentials; exit code 1 when any of the bots has an error. */
export async function check(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const checked = [];
  for (const path of call.words) {
    checked.push({ path, diagnostics: await checkBundle(resolve(typedIn(io), path)) });
  }
  const errors = checked
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(one => one.severity === 'error').length;
  if (call.flag('json')) {
    printJson(io, { ok: errors === 0, bots: checked });
    return errors === 0 ? EXIT.done : EXIT.failed;
  }
  for (const { path, diagnostics } of checked) {
    const base = path.endsWith('.bot') ? dirname(path) : path;
    for (const one of diagnostics) {
      print(
        io,
        `${join(base, one.file)}:${one.at.line}:${one.at.column} ${one.code} ${one.severity} ${one.message}`,
      );
      if (one.fix !== undefined) print(io, `  fix: ${one.fix}`);
    }
    if (diagnostics.length === 0) print(io, `${path}: no errors`);
  }
  return errors === 0 ? EXIT.done : EXIT.failed;
}
