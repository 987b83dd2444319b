import { mkdir, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { RunId } from '@hearth/protocol/ids.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { typedIn } from './workspace.ts';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** `hearth record`: writes `recordings/<name>.jsonl` into a bundle. Nothing is overwritten without `--force`. */
export async function record(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const named = call.option('run');
  const run = named === null ? null : RunId.safeParse(named).data;
  if (run === undefined) throw new UsageError(`"${named}" names no run: give one like r1.`);
  const name = call.option('name') ?? run ?? 'latest';
  if (!NAME.test(name)) {
    throw new UsageError(`"${name}" cannot name a recording: use lower-case letters, digits, - and _.`);
  }
  const client = await connect(io, 'cli');
  const conversation = await findConversation(client, call.words[0] ?? null);
  const { bot } = await client.get(conversation);
  const directory = await bundleOf(bot, call.option('into'), typedIn(io));
  const text = await client.recording(conversation, run, io.interrupted);
  const path = join(directory, 'recordings', `${name}.jsonl`);
  await mkdir(join(directory, 'recordings'), { recursive: true });
  await write(path, text, call.flag('force'));
  const steps = text.split('\n').filter(line => line !== '').length - 1;
  if (call.flag('json')) printJson(io, { conversation, bot, name, path, steps });
  else
    print(
      io,
      `Recorded ${steps} steps to ${path}. It holds what was said there, with known secrets taken out: look at it before you share it.`,
    );
  return EXIT.done;
}

/** The bundle that gets the recording: a directory with a `main.bot`. */
async function bundleOf(bot: string, into: string | null, here: string): Promise<string> {
  const directory = into === null ? bot : resolve(here, into);
  if (!isAbsolute(directory)) {
    const message = `The bot ${bot} comes with Hearth: name the bundle that gets the recording, with --into DIR.`;
    throw new CommandError(EXIT.failed, 'no_bundle', message);
  }
  const main = await stat(join(directory, 'main.bot')).catch(() => null);
  if (main?.isFile() === true) return directory;
  const message = `${directory} is no bundle's directory, it has no file main.bot: name one with --into DIR.`;
  throw new CommandError(EXIT.failed, 'no_bundle', message);
}

async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx', mode: 0o600 });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!exists) throw error;
    const message = `There is a recording ${path} already: give another --name, or replace it with --force.`;
    throw new CommandError(EXIT.failed, 'file_exists', message);
  }
}
