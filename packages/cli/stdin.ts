import type { Readable } from 'node:stream';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { CommandError, type Io } from './command.ts';

/** Reads all of stdin. Rejects with `too_large` beyond `limit` bytes, without reading on, and with `not_utf8`. */
export async function readStdin(stdin: Readable, limit: number, what: string): Promise<string> {
  return decoded(await readBytes(stdin, limit, what), what);
}

/** Nothing that a person sends is changed in silence, as a lenient reading would do. */
function decoded(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError(EXIT.failed, 'not_utf8', `${what} on stdin is not UTF-8 text: send it as UTF-8.`);
  }
}

async function readBytes(stdin: Readable, limit: number, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) throw tooLarge(what, limit);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** What to say of a text that is beyond its limit. */
export function tooLarge(what: string, limit: number): CommandError {
  return new CommandError(
    EXIT.failed,
    'too_large',
    `${what} is larger than ${limit / 1024 / 1024} MiB: shorten it, or put it into a file and name that.`,
  );
}

/** The longest source that the language reads, in bytes. */
const SOURCE_LIMIT = 10 * 1024 * 1024;

/** Reads the source of a bot from stdin. Rejects when it is too long or no UTF-8 text. */
export async function readSource(io: Pick<Io, 'stdin'>): Promise<string> {
  return readStdin(io.stdin, SOURCE_LIMIT, 'The source');
}
