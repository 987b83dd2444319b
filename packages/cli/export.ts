import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { CommandError, type Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { typedIn } from './workspace.ts';

/** `hearth export`: the file is whole or not there, and nothing is overwritten. */
export async function exportTo(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [named = '', file = ''] = call.words;
  const path = resolve(typedIn(io), file);
  const client = await connect(io, 'cli');
  const conversation = await findConversation(client, named);
  const archive = await client.export(conversation, io.interrupted);
  const bytes = await written(path, archive);
  if (call.flag('json')) printJson(io, { conversation, path, bytes });
  else
    print(
      io,
      `Exported ${conversation} to ${path} (${bytes} bytes). It holds what was said there: keep it to yourself.`,
    );
  return EXIT.done;
}

/** Resolves to how many bytes there were. */
async function written(path: string, archive: ReadableStream<Uint8Array>): Promise<number> {
  const target = await claimed(path);
  const temp = `${path}.${process.pid}.part`;
  let bytes = 0;
  try {
    const out = await open(temp, 'wx', 0o600);
    try {
      for await (const chunk of archive) {
        await out.writeFile(chunk);
        bytes += chunk.length;
      }
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(temp, path);
    return bytes;
  } catch (error) {
    await Promise.all([temp, path].map(one => rm(one, { force: true })));
    throw error;
  } finally {
    await target.close();
  }
}

/** An empty file of that name, which was not there before. */
async function claimed(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    const isDirectory = await stat(path).then(
      found => found.isDirectory(),
      () => false,
    );
    const what = isDirectory
      ? `${path} is a directory: name a file in it, such as ${join(path, 'conversation.tar')}.`
      : `There is a file ${path} already: name another one.`;
    throw new CommandError(EXIT.failed, 'file_exists', what);
  }
}
