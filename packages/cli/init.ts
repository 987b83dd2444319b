import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { print } from './output.ts';
import { BOT_NAME, scaffold } from './scaffold.ts';
import { typedIn } from './workspace.ts';

/** `hearth init`: makes the files of a new bot in a directory. It overwrites nothing: with one of them there, none is made. */
export async function init(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const here = typedIn(io);
  const directory = resolve(here, call.words[0] ?? '.');
  const files = scaffold(nameFor(directory, call.option('name')));
  for (const path of files.keys()) {
    if ((await stat(join(directory, path)).catch(() => null)) === null) continue;
    const message = `There is a ${path} in ${directory} already, and nothing was made: name another directory.`;
    throw new CommandError(EXIT.failed, 'exists', message);
  }
  for (const [path, text] of files) await write(join(directory, path), text);
  const shown = relative(here, directory) || '.';
  for (const path of files.keys()) print(io, `Made ${join(shown, path)}`);
  const named = /[/\\]|^\.{1,2}$/.test(shown) ? shown : `./${shown}`;
  print(io, `Next: "hearth check ${shown}", then "hearth new --bot ${named}".`);
  return EXIT.done;
}

function nameFor(directory: string, given: string | null): string {
  const name = given ?? basename(directory);
  if (BOT_NAME.test(name)) return name;
  const rule = 'use lower-case letters, digits and dashes, beginning with a letter';
  throw new UsageError(`"${name}" cannot name a bot: ${rule}${given === null ? ', with --name NAME' : ''}.`);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  } catch {
    const message = `The file ${path} cannot be written: check the owner and mode of its directory.`;
    throw new CommandError(EXIT.failed, 'not_written', message);
  }
}
