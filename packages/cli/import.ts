import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { typedIn } from './workspace.ts';

/** `hearth import`: prints the id alone, so that a script can take it. */
export async function importFrom(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const path = resolve(typedIn(io), call.words[0] ?? '');
  const { view } = await (await connect(io, 'cli')).import(path);
  if (call.flag('json')) printJson(io, view);
  else print(io, view.id);
  return EXIT.done;
}
