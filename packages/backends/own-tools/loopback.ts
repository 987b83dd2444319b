import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { JsonObject } from '@hearth/protocol/json.ts';
import { answered } from './mcp.ts';
import type { OwnTools } from './own-tools.ts';

/*
 * The tools of one turn over HTTP on loopback, for programs that cannot be served through a pipe of their own. The address
 * is good for the turn alone; whoever asks needs the turn's secret, which the program gets in its environment. A browser
 * is refused whatever it knows.
 */

/** The largest message that is taken, in bytes. */
const LARGEST = 4 * 1024 * 1024;

/** The tools of one turn, served until `close`. */
export interface ServedTurn {
  /** Where a program that speaks HTTP finds the tools. */
  readonly address: string;
  readonly secret: string;
  /** Ends it; whoever still waits is cut off. */
  close(): Promise<void>;
}

/** Serves the tools of one turn on a free port of loopback. */
export async function serveTurn(tools: OwnTools): Promise<ServedTurn> {
  const secret = randomBytes(24).toString('base64url');
  const wanted = Buffer.from(`Bearer ${secret}`);
  const prefix = randomBytes(4).toString('hex');
  let calls = 0;
  const newId = (): string => `h${prefix}-${(calls += 1)}`;
  const server: Server = createServer((request, response) => {
    void reply(request, response, wanted, tools, newId).catch(() => response.destroy());
  });
  // A tool may work for as long as it likes; only the turn's end ends it.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    address: `http://127.0.0.1:${port}/`,
    secret,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  wanted: Buffer,
  tools: OwnTools,
  newId: () => string,
): Promise<void> {
  const given = Buffer.from(request.headers.authorization ?? '');
  const known = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!known || request.headers.origin !== undefined) return say(response, 401);
  if (request.method !== 'POST') return say(response, 405);
  const body = await bodyOf(request);
  const message = body === null ? null : parsed(body);
  if (message === null) return say(response, body === null ? 413 : 400);
  const answer = await answered(tools, newId, message);
  if (answer === null) return say(response, 202);
  say(response, 200, JSON.stringify(answer));
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > LARGEST) return null;
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): JsonObject | null {
  try {
    return JsonObject.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function say(response: ServerResponse, status: number, body = ''): void {
  response.writeHead(status, body === '' ? {} : { 'content-type': 'application/json' });
  response.end(body);
}
