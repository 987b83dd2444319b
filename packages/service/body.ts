import { ProblemError } from './problem.ts';

/** A request's body may hold at most this many bytes. */
export const BODY_LIMIT = 2 * 1024 * 1024;

/** What is still read of a body that is too large, so that its sender gets to read our answer. */
const DRAIN_LIMIT = 64 * 1024 * 1024;

/** Reads a JSON body. `undefined` when there is none. Throws `too_large`, `unsupported_media_type` or `malformed`. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ProblemError(
      'unsupported_media_type',
      'The body must be JSON: send it with the header "content-type: application/json".',
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ProblemError('malformed', 'The body is not valid JSON in UTF-8.');
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    if (size > DRAIN_LIMIT) break;
  }
  if (size > BODY_LIMIT) {
    throw new ProblemError(
      'too_large',
      `The body is larger than ${BODY_LIMIT / 1024 / 1024} MiB; a message may hold 1 MiB of text.`,
    );
  }
  return Buffer.concat(chunks);
}
