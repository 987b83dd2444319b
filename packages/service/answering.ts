import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Asked, askedIn } from './asked.ts';
import { ANSWERED } from './outlet.ts';
import { PlainResponse } from './plain-response.ts';
import { problem, problemResponse } from './problem.ts';

/*
 * From a request on a connection to the answer on it. Guarantees: every request is answered, or its connection ends; a body
 * that nobody read is read no further than so much and so long; a client that left ends what is still being sent to it.
 */

/** Whoever answers. What it throws is an error of the program. */
export type Fetch = (
  request: Asked,
  way: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
) => Response | Promise<Response>;

/** A body that nobody read is taken in this far, so that its sender gets to read the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 500;

const NO_ADDRESS = problem(
  'malformed',
  'What the request asks for is no address of a service: ask for a path, like "/v1/status".',
);

/** What a server does with each request; of a body that nobody read it takes in `drainBytes`. Never rejects. */
export async function answerOn(
  fetch: Fetch,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  drainBytes = DRAIN_BYTES,
): Promise<void> {
  let left: AbortController | null = null;
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left?.abort();
    if (incoming.method !== 'GET' && !incoming.readableEnded) drain(incoming, drainBytes);
  });
  const request = askedIn(incoming, () => {
    left ??= new AbortController();
    if (outgoing.destroyed) left.abort();
    return left.signal;
  });
  try {
    if (request === null) await send(problemResponse(NO_ADDRESS), outgoing);
    else await send(await fetch(request, { incoming, outgoing }), outgoing);
  } catch {
    // The client left, or what was to be sent broke off: nobody may take the part of it for the whole.
    outgoing.destroy();
  }
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const plain = response instanceof PlainResponse ? response.plain : null;
  if (plain !== null) {
    const { content, headers } = plain;
    const length = Buffer.byteLength(content);
    outgoing.writeHead(response.status, { ...headers, 'content-length': length }).end(content);
    return;
  }
  if (response.headers.has(ANSWERED)) return;
  outgoing.setHeaders(response.headers);
  outgoing.writeHead(response.status);
  if (response.body === null) outgoing.end();
  else await stream(response.body, outgoing);
}

/** Sends what comes as it comes, and takes no more than the client does. */
async function stream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  if (outgoing.destroyed) return reader.cancel();
  // What is being read then ends too.
  outgoing.once('close', () => void reader.cancel().catch(() => undefined));
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

/** Resolves when the client has taken what was sent, or left. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const over = (): void => {
      outgoing.off('drain', over).off('close', over);
      resolve();
    };
    outgoing.on('drain', over).on('close', over);
  });
}

function drain(incoming: IncomingMessage, most: number): void {
  if (incoming.destroyed) return;
  let bytes = 0;
  const end = (): void => {
    clearTimeout(timer);
    incoming.off('data', count).socket.destroySoon();
  };
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > most) end();
  };
  const timer = setTimeout(end, DRAIN_MS).unref();
  incoming.on('data', count);
  for (const event of ['end', 'error', 'close']) incoming.once(event, () => clearTimeout(timer));
  incoming.resume();
}
