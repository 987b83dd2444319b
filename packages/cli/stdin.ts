import type { Readable } from 'node:stream';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { CommandError } from './command.ts';

/** Reads all of stdin as UTF-8. Rejects with `too_large` beyond `limit` bytes, without reading on. */
export async function readStdin(stdin: Readable, limit: number, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) throw tooLarge(what, limit);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What to say of a text that is beyond its limit. */
export function tooLarge(what: string, limit: number): CommandError {
  return new CommandError(
    EXIT.failed,
    'too_large',
    `${what} is larger than ${limit / 1024 / 1024} MiB: shorten it, or put it into a file and name that.`,
  );
}
