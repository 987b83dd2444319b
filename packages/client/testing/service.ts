import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { Did } from '@hearth/protocol/receipt.ts';
import type { Recovery } from '@hearth/protocol/recovery.ts';
import { HearthClient } from '../http.ts';
import { systemTimers } from '../timers.ts';
import type { Timers } from '../timers.ts';
import { versionOf } from './cards.ts';
import { historyOf } from './history.ts';
import { CONVERSATION, World } from './world.ts';

/*
 * For tests: a service of one conversation over real HTTP, which speaks the protocol and misbehaves when told to: it
 * cuts streams, repeats events, expires cursors and swallows answers.
 */

/** A command as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown> & { commandId: string };
}

export class TestService {
  readonly world = new World();
  readonly received: Received[] = [];
  /** How many streams were opened so far, and after which cursor each. */
  readonly resumedAfter: (string | null)[] = [];
  /** Events that a resumed stream sends again before it goes on. */
  repeat = 0;
  /** Frames after which a stream is cut. */
  cutAfter = Number.POSITIVE_INFINITY;
  /** Writes whose answers are lost, although they are carried out. */
  swallow = 0;
  /** The bodies of versions of artifacts, by names such as `plan@2`. */
  readonly bodies = new Map<string, string>();
  /** Answers before anything else: a status and a body, or `null` to go on. */
  refuse: (request: { method: string; path: string }) => { status: number; body: unknown } | null = () =>
    null;
  /** Carries a command out. */
  perform: (received: Received) => Did = received => this.#performed(received);
  readonly #streams = new Set<ServerResponse>();
  readonly #receipts = new Map<string, Did>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<TestService> {
    const service = new TestService();
    service.world.onEvent = placed => {
      for (const stream of service.#streams) service.#write(stream, { frame: 'event', ...placed });
    };
    await new Promise<void>(resolve => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  client(timers: Timers = eager): HearthClient {
    const newCommandId = () => `command-${process.pid}-${String(++made).padStart(8, '0')}`;
    return new HearthClient({
      address: this.address,
      token: 'secret',
      surface: 'console',
      name: 'ada',
      newCommandId,
      timers,
    });
  }

  /** Sends a frame to every open stream. */
  publish(frame: Frame): void {
    for (const stream of this.#streams) this.#write(stream, frame);
  }

  /** Breaks every open stream. */
  cut(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#streams.clear();
  }

  get streams(): number {
    return this.#streams.size;
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise<void>(resolve => this.#server.close(() => resolve()));
  }

  #performed(received: Received): Did {
    const { path, body } = received;
    if (path.endsWith('/messages')) {
      const delivery = body['delivery'] === 'steer' ? 'steer' : 'queue';
      const text = String(body['text']);
      return {
        ...this.world.send(text, { commandId: body.commandId, delivery, by: body['actor'] as never }),
        as: 'started',
      };
    }
    if (path.endsWith('/decisions')) {
      const act = body['act'] as { option?: string; action?: string };
      this.world.answer(act.option ?? act.action ?? '', body['pause'] as never);
      return { pause: body['pause'] as never, as: 'answered' };
    }
    return {};
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = url.pathname.replace(/^\/v1/, '');
    const method = request.method ?? 'GET';
    const text = await readAll(request);
    if (request.headers.authorization !== 'Bearer secret')
      return problem(response, 401, 'unauthorized', 'The token is wrong.');
    const refused = this.refuse({ method, path });
    if (refused !== null) return json(response, refused.status, refused.body);
    if (method !== 'GET') return this.#command(response, { method, path, body: JSON.parse(text) });
    const inside = `/conversations/${CONVERSATION}`;
    if (path === '/status') return json(response, 200, STATUS);
    if (path === '/conversations') return json(response, 200, { conversations: [this.#row()], damaged: [] });
    if (path === inside || path === '/conversations/default') return json(response, 200, this.world.view());
    if (path === `${inside}/events`)
      return this.#page(response, url.searchParams.get('after'), Number(url.searchParams.get('limit')));
    if (path === `${inside}/history`)
      return json(
        response,
        200,
        historyOf(
          this.world,
          Number(url.searchParams.get('before') ?? Number.POSITIVE_INFINITY),
          Number(url.searchParams.get('turns')),
        ),
      );
    if (path.startsWith(`${inside}/artifacts/`)) {
      const found = versionOf(this.bodies, path, url.searchParams.get('since'));
      return found === null
        ? problem(response, 404, 'unknown_artifact', 'No such version.')
        : json(response, 200, found);
    }
    if (path === `${inside}/stream`)
      return this.#stream(response, request.headers['last-event-id']?.toString() ?? null);
    return problem(response, 404, 'unknown_conversation', `There is nothing at ${path}.`);
  }

  #command(response: ServerResponse, received: Received): void {
    const known = this.#receipts.get(received.body.commandId);
    if (known === undefined) this.received.push(received);
    const did = known ?? this.perform(received);
    this.#receipts.set(received.body.commandId, did);
    if (this.swallow > 0) {
      this.swallow--;
      response.destroy();
      return;
    }
    const payload = `sha256:${'0'.repeat(64)}`;
    const receipt = {
      commandId: received.body.commandId,
      command: 'test',
      payload,
      at: this.world.head,
      did,
    };
    json(response, 200, { receipt, replayed: known !== undefined, view: this.world.view() });
  }

  #row(): unknown {
    const { id, title, isDefault, pinned, state, scope, bot } = this.world.view();
    return { id, title, isDefault, pinned, state, scope, bot, updatedAt: '2026-01-01T00:00:00.000Z' };
  }

  #recovery(after: string | null): Recovery | null {
    if (after === null || after === this.world.retained) return null;
    const seq = parseCursor(after)?.seq ?? 0;
    const known = this.world.log.some(placed => placed.cursor === after);
    if (known) return null;
    const bound = parseCursor(this.world.retained)?.seq ?? 0;
    const code = seq < bound ? 'cursor_expired' : 'cursor_ahead';
    return { code, resetCursor: this.world.retained, stateCursor: this.world.head, view: this.world.view() };
  }

  #page(response: ServerResponse, after: string | null, limit: number): void {
    const recovery = this.#recovery(after);
    if (recovery !== null)
      return json(response, 409, {
        type: 'about:blank',
        title: 'Refused',
        status: 409,
        detail: 'x',
        ...recovery,
      });
    const from = after === null ? 0 : this.world.log.findIndex(placed => placed.cursor === after) + 1;
    const events = this.world.log.slice(from, from + limit);
    const next = events.at(-1)?.cursor ?? after ?? this.world.retained;
    json(response, 200, { events, next, head: this.world.head, retained: this.world.retained });
  }

  #stream(response: ServerResponse, after: string | null): void {
    this.resumedAfter.push(after);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': attached\n\n');
    const recovery = this.#recovery(after);
    if (recovery !== null) this.#write(response, { frame: 'recover', recovery });
    const start =
      recovery === null && after !== null
        ? this.world.log.findIndex(placed => placed.cursor === after) + 1
        : 0;
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    for (const placed of this.world.log.slice(Math.max(0, start - this.repeat)))
      this.#write(response, { frame: 'event', ...placed });
  }

  readonly #sent = new WeakMap<ServerResponse, number>();

  #write(stream: ServerResponse, frame: Frame): void {
    if (stream.destroyed || stream.writableEnded) return;
    const sent = (this.#sent.get(stream) ?? 0) + 1;
    this.#sent.set(stream, sent);
    const id = frame.frame === 'event' ? `id: ${frame.cursor}\n` : '';
    stream.write(`${id}data: ${JSON.stringify(frame)}\n\n`);
    if (sent >= this.cutAfter) stream.end();
  }
}

/** Command ids made so far, by all clients together. */
let made = 0;

/** Timers that keep the watchdog and shorten every other wait to nothing. */
export const eager: Timers = {
  now: () => 0,
  after: (ms, callback) => (ms >= 10_000 ? () => {} : systemTimers.after(0, callback)),
};

const STATUS = {
  version: '0.1.0',
  pid: 1,
  home: '/home/ada/.hearth',
  startedAt: '2026-01-01T00:00:00.000Z',
  address: 'http://127.0.0.1:1',
  conversations: 1,
  working: 0,
  waiting: 0,
  backend: { name: 'rehearsal', why: 'no model is configured' },
};

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function problem(response: ServerResponse, status: number, code: string, detail: string): void {
  json(response, status, { type: 'about:blank', title: 'Refused', status, code, detail });
}

/** Resolves when the condition holds; the test's own guard ends it otherwise. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve));
}
