import type { IncomingMessage, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { BoardError } from '@hearth/board/board-error.ts';
import { LaneError } from '@hearth/conversations/lane-error.ts';
import { RegistryError } from '@hearth/conversations/registry-error.ts';
import { BotError } from '@hearth/engine/bot.ts';
import { DiskError } from '@hearth/store/disk.ts';
import type { Asked } from './asked.ts';
import type { Gate } from './auth.ts';
import { readByteBody, readJsonBody, type Sent } from './body.ts';
import { errorFacts, type Log } from './log.ts';
import { problem, ProblemError, problemResponse, retryAfter, statusOf } from './problem.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Route } from './route.ts';
import type { Redactor } from './secrets.ts';

/*
 * The HTTP application, built from the table of routes. Guarantees: nothing under `/v1` is looked at before the gate
 * let the request pass, and nothing at all for a foreign host or page; every refusal is a problem; nothing that was not
 * meant for a person leaves in an error.
 */

/** What is served, to whom. */
export interface AppOptions {
  /** Under `/v1`, for whoever has authority. */
  readonly routes: readonly Route[];
  /** Outside `/v1`, for anybody at our address. */
  readonly open?: readonly Route[];
  /** The answer to a GET that no route takes, for anybody at our address; `null` when there is none. */
  readonly page?: (path: string) => Promise<Response | null>;
  readonly gate: Gate;
  readonly log: Log;
  /** How much one connection may ask; without it, anything. */
  readonly rates?: RateLimits;
  /** Takes secrets out of what is said of an error. */
  readonly redactor?: Redactor;
  /** Whether the service is on its way down. */
  stopping(): boolean;
}

/** Errors that say themselves what to tell a person, by a code that the table of problems knows. */
const KNOWN: readonly (abstract new (...args: never[]) => Error & { readonly code: string })[] = [
  ProblemError,
  RegistryError,
  LaneError,
  BoardError,
  BotError,
  DiskError,
];

const HASTE = problem(
  'too_many_requests',
  'This connection asks faster than anybody needs to: wait a moment, and ask less often.',
);
const STOPPING = problem('stopping', 'The service is stopping: try again in a moment.');

/** What is known of a request besides what it says: the connection on which it came, and both ways of it. */
interface Bindings {
  readonly connection?: object;
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}
type Routed = Hono<{ Bindings: Bindings }>;

/** The application: answers whatever it is asked. */
export interface App {
  fetch(request: Asked, bindings?: Bindings): Response | Promise<Response>;
}

/** Builds the application. */
export function createApp(options: AppOptions): App {
  const { routes, gate, log } = options;
  // By itself it would first try another router, which cannot tell our paths apart.
  const app: Routed = new Hono<{ Bindings: Bindings }>({ router: new TrieRouter() });
  app.use('*', async (c, next) => {
    // A request that was made without a listener came on no connection.
    const wait = options.rates?.of(c.env?.connection ?? app).take() ?? 0;
    if (wait > 0) return problemResponse(HASTE, retryAfter(wait));
    const { headers } = c.req.raw;
    const guarded = c.req.path === '/v1' || c.req.path.startsWith('/v1/');
    const refused = guarded ? gate.judge(c.req.method, headers) : gate.judgePlace(headers);
    if (refused !== null) {
      return problemResponse(refused, refused.status === 401 ? { 'www-authenticate': 'Bearer' } : {});
    }
    if (options.stopping()) return problemResponse(STOPPING, { connection: 'close' });
    // It would be answered as a GET whose body nobody reads, and a stream would stay open for nobody.
    if (c.req.method === 'HEAD') {
      return problemResponse(problem('method_not_allowed', 'HEAD is not possible here: use GET.'), {
        allow: 'GET',
      });
    }
    return next();
  });
  serve(app, '/v1', routes);
  serve(app, '', options.open ?? []);
  app.get('*', async (c, next) => {
    const answer = await options.page?.(c.req.path);
    return answer ?? next();
  });
  app.notFound(c =>
    problemResponse(problem('not_found', `There is no route ${c.req.method} ${c.req.path}.`)),
  );
  app.onError((error, c) => {
    if (error instanceof LaneError && error.code === 'closed')
      return problemResponse(STOPPING, { connection: 'close' });
    if (!told(error)) {
      log.write('internal', { method: c.req.method, ...errorFacts(error) });
      return problemResponse(
        problem(
          'internal',
          'Something went wrong inside the service; logs/service.log of the home says where.',
        ),
      );
    }
    if (statusOf(error.code) >= 500) log.write('failed', { method: c.req.method, ...errorFacts(error) });
    const view = error instanceof ProblemError ? error.view : undefined;
    const detail = error instanceof BotError && error.detail.length > 0 ? { diagnostics: error.detail } : {};
    const again = error instanceof ProblemError ? retryAfter(error.retryAfterMs) : {};
    const said = options.redactor?.text(error.message) ?? error.message;
    return problemResponse(problem(error.code, said, view), again, detail);
  });
  // The library asks a request for its method and its address, which any has.
  return { fetch: (request, bindings) => app.fetch(request as Request, bindings) };
}

/** Adds the rows below a prefix, and a refusal for the methods that a path has not. */
function serve(app: Routed, prefix: string, rows: readonly Route[]): void {
  for (const row of rows) {
    app.on(row.method, `${prefix}${row.path}`, async c =>
      row.perform({
        params: c.req.param(),
        query: c.req.query(),
        body: await bodyOf(row, c.req.raw, c.env?.incoming),
        headers: c.req.raw.headers,
        signal: c.req.raw.signal,
        outgoing: c.env?.outgoing ?? null,
      }),
    );
  }
  for (const [path, methods] of methodsByPath(rows)) {
    const allow = methods.join(', ');
    app.all(`${prefix}${path}`, c =>
      problemResponse(problem('method_not_allowed', `${c.req.method} is not possible here: use ${allow}.`), {
        allow,
      }),
    );
  }
}

/** From the connection, where there is one: the way over the request's own body is ten times as long. */
function bodyOf(
  { method, bytes }: Route,
  request: Request,
  incoming: IncomingMessage | undefined,
): Promise<unknown> {
  if (method === 'GET') return Promise.resolve(undefined);
  // Whoever stops reading still answers.
  const { headers } = request;
  const sent: Sent = { headers, body: incoming?.iterator({ destroyOnReturn: false }) ?? request.body };
  return bytes === null ? readJsonBody(sent) : readByteBody(sent, bytes);
}

function told(error: Error): error is Error & { readonly code: string } {
  return KNOWN.some(known => error instanceof known);
}

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(routes, row => row.path)
    .entries()
    .reduce(
      (map, [path, rows]) =>
        map.set(
          path,
          rows.map(row => row.method),
        ),
      new Map<string, readonly string[]>(),
    );
}
