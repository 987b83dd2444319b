import type { AskedHeaders } from './asked.ts';
import { ProblemError } from './problem.ts';

/*
 * What a request may hold is counted in bytes of its text and not of its JSON, in which one byte can take six: whether a
 * message fits must not depend on which characters it is made of.
 */

/** The texts of a body, names of fields included, may hold at most this many bytes of UTF-8 together. */
export const BODY_LIMIT = 2 * 1024 * 1024;

/** No body of that much text is longer as JSON, with something to spare for what is no text. */
const JSON_LIMIT = 6 * BODY_LIMIT + 1024 * 1024;

/** What is still read of a body that is too large, so that its sender gets to read our answer. */
const DRAIN_LIMIT = 64 * 1024 * 1024;

/** What of a request is read: its headers, and its body as it comes in. */
export interface Sent {
  readonly headers: AskedHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Reads a JSON body. `undefined` when there is none. Throws `too_large`, `unsupported_media_type` or `malformed`. */
export async function readJsonBody(request: Sent): Promise<unknown> {
  const bytes = await readBytes(request, JSON_LIMIT, tooLarge);
  if (bytes.length === 0) return undefined;
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ProblemError(
      'unsupported_media_type',
      'The body must be JSON: send it with the header "content-type: application/json".',
    );
  }
  const body = parsed(bytes);
  if (textBytes(body) > BODY_LIMIT) throw tooLarge();
  return body;
}

/** Reads a body of bytes, at most `limit`. Throws `too_large` or `unsupported_media_type`. */
export async function readByteBody(request: Sent, limit: number): Promise<Uint8Array> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== BYTES) {
    throw new ProblemError(
      'unsupported_media_type',
      `The body must be the file itself: send it with the header "content-type: ${BYTES}".`,
    );
  }
  const mib = limit / 1024 / 1024;
  return readBytes(
    request,
    limit,
    () =>
      new ProblemError(
        'too_large',
        `The file is larger than ${mib} MiB: send a smaller one, or name its path.`,
      ),
  );
}

/** What bytes of any kind are sent as. */
export const BYTES = 'application/octet-stream';

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ProblemError('malformed', 'The body is not valid JSON in UTF-8.');
  }
}

/** Counted without recursion, since a body may be nested deeper than any stack. */
function textBytes(body: unknown): number {
  let bytes = 0;
  const left: unknown[] = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) bytes += Buffer.byteLength(name);
      left.push(inner);
    }
  }
  return bytes;
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'too_large',
    `The body holds more than ${BODY_LIMIT / 1024 / 1024} MiB of text; a message may hold 1 MiB.`,
  );
}

async function readBytes(request: Sent, limit: number, refused: () => ProblemError): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      if (size > DRAIN_LIMIT) break;
    }
  } catch {
    // That its sender left is no fault of the service.
    throw new ProblemError('malformed', 'The body broke off before its end: send it again, whole.');
  }
  if (size > limit) throw refused();
  return Buffer.concat(chunks);
}
