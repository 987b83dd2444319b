import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { type Attached, ATTACHED_LIMIT, FileName } from '@hearth/protocol/text.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { CommandError, UsageError } from './command.ts';

/** A file that `--attach` names, read. */
export interface FileToAttach {
  readonly name: string;
  /** The attachment of the bot that it is. */
  readonly as: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads what `[NAME=]FILE` names. A file whose own name has an `=` in it is written with a directory. Throws `UsageError`. */
export async function fileToAttach(cwd: string, given: string): Promise<FileToAttach> {
  const [, as = null, path = given] = /^([A-Za-z_]\w*)=(.+)$/s.exec(given) ?? [];
  const full = resolve(cwd, path);
  const found = await stat(full).catch(() => null);
  if (found?.isFile() !== true) throw new UsageError(`There is no file "${path}" to attach.`);
  if (found.size > ATTACHED_LIMIT) throw tooLarge(path);
  const name = basename(full);
  if (!FileName.safeParse(name).success)
    throw new UsageError(`The file "${path}" has a name that cannot be attached: give it a plainer one.`);
  const bytes = await readFile(full).catch(() => null);
  if (bytes === null) throw new UsageError(`The file "${path}" cannot be read.`);
  return { name, as, bytes: new Uint8Array(bytes) };
}

/**
 * As `fileToAttach`, of a name that no shell has read: `~` is the person's home directory, and the quotes or backslashes go
 * with which a terminal writes a file that is dropped into it. Throws `UsageError`.
 */
export function fileTyped(cwd: string, given: string): Promise<FileToAttach> {
  const quoted = /^(['"])(.*)\1$/s.exec(given)?.[2];
  const plain = quoted ?? given.replaceAll(/\\(.)/g, '$1');
  return fileToAttach(
    cwd,
    plain.replace(/^([A-Za-z_]\w*=)?~(?=\/)/, (_, as = '') => `${as}${homedir()}`),
  );
}

function tooLarge(path: string): CommandError {
  const message = `The file "${path}" is larger than ${ATTACHED_LIMIT / 1024 / 1024} MiB: attach less, or name its path in the message.`;
  return new CommandError(EXIT.failed, 'too_large', message);
}

/** Uploads a file to a conversation; resolves to what its message names. */
export async function uploadFile(
  client: HearthClient,
  conversation: ConversationId,
  { name, as, bytes }: FileToAttach,
): Promise<Attached> {
  const file = await client.upload(conversation, { name, bytes });
  return as === null ? file : { ...file, as };
}
