import type { AddressInfo, Socket } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { answerOn, type Fetch } from './answering.ts';
import type { Asked } from './asked.ts';
import { HomeError } from './home-error.ts';
import { LOOPBACK_ADDRESS } from './loopback.ts';

const HOST = LOOPBACK_ADDRESS;

/** A connection is kept this long for its next request, in milliseconds; longer than any surface waits between two. */
const KEEP_ALIVE_MS = 65_000;

/** Connections at once, streams among them; more are turned away. */
const CONNECTIONS = 1024;

/** Taken so, since an import of it would load what is never used: all of Node's `fetch`. */
const { createServer } = process.getBuiltinModule('node:http');

/** How a request came: its connection, and both ways of it for whoever reads or writes them bit by bit. */
export interface Way {
  readonly connection: object;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Answers a request; what the port is, it learns before the first one. */
export type Answer = (request: Asked, way: Way) => Response | Promise<Response>;

/** An open port of loopback. */
export interface Listener {
  readonly port: number;
  readonly address: string;
  /**
   * Takes no new connection from now on, and ends each whose last answer has been sent; resolves when all are gone, if need
   * be after `cut` was called.
   */
  close(): Promise<void>;
  /** Ends the connections on which nothing is being answered. */
  closeIdle(): void;
  /** Ends every connection. */
  cut(): void;
}

/** Listens on a port of loopback, 0 for any. Rejects with `HomeError` `port_in_use`. */
export async function listen(port: number, answerAt: (port: number) => Answer): Promise<Listener> {
  let answer: Answer | null = null;
  const fetch: Fetch = (request, way) =>
    answer?.(request, { connection: way.incoming.socket, ...way }) ?? new Response(null, { status: 503 });
  const server = createServer((incoming, outgoing) => void answerOn(fetch, incoming, outgoing));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = CONNECTIONS;
  let closing = false;
  const answering = watched(server, socket => {
    if (closing) socket.destroySoon();
  });
  const bound = await bind(server, port);
  answer = answerAt(bound);
  return {
    port: bound,
    address: `http://${HOST}:${bound}`,
    close: () => {
      closing = true;
      return new Promise(resolve => server.close(() => resolve()));
    },
    closeIdle: () => {
      for (const [socket, count] of answering) if (count === 0) socket.destroy();
    },
    cut: () => server.closeAllConnections(),
  };
}

/**
 * The open connections, and how many requests are being answered on each. The server's own idea of idle leaves out a
 * connection on which nothing was ever asked, which some clients keep in reserve. `rests` is told of one whose last answer
 * has been sent.
 */
function watched(server: Server, rests: (socket: Socket) => void): ReadonlyMap<Socket, number> {
  const answering = new Map<Socket, number>();
  const add = (socket: Socket, count: number): void => {
    const before = answering.get(socket);
    if (before !== undefined) answering.set(socket, before + count);
  };
  server.on('connection', (socket: Socket) => {
    answering.set(socket, 0);
    socket.once('close', () => answering.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    add(request.socket, 1);
    response.once('close', () => {
      add(request.socket, -1);
      if (answering.get(request.socket) === 0) rests(request.socket);
    });
  });
  return answering;
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code ?? 'unknown'})`;
      reject(
        new HomeError(
          'port_in_use',
          `The port ${port} of ${HOST} ${why}: choose another, or leave --port out and any free one is taken.`,
        ),
      );
    });
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}
