import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { type Replayed, replayBundle } from '@hearth/service/replay/replay.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { typedIn } from './workspace.ts';

/** `hearth replay`: needs no service and no network; exit code 1 when a turn has another shape or goes another way. */
export async function replay(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [named = '.'] = call.words;
  const path = resolve(typedIn(io), named);
  // A name is that of a bot that comes with Hearth, unless there is something of that name here.
  const here = (await stat(path).catch(() => null)) !== null;
  const replayed = await replayBundle(here || /[/\\.]/.test(named) ? path : named, call.option('name'));
  const ok = replayed.every(one => one.ok);
  if (call.flag('json')) printJson(io, { ok, recordings: replayed });
  else for (const one of replayed) tell(call, one);
  return ok ? EXIT.done : EXIT.failed;
}

function tell({ io }: Invocation, { name, ok, messages, differences }: Replayed): void {
  const turns = messages === 1 ? '1 message' : `${messages} messages`;
  print(io, `${name}: ${ok ? 'as recorded' : 'changed'} (${turns})`);
  for (const { what, message, text } of differences) print(io, `  ${what} at message ${message}: ${text}`);
}
