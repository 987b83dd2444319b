import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { AskedHeaders } from './asked.ts';
import { issueWords } from './issue-words.ts';
import { PlainResponse } from './plain-response.ts';
import { ProblemError } from './problem.ts';

/*
 * A route is a row of a table: method, path, what it takes and how it answers. Bodies and queries are parsed here, at
 * the edge, so that handlers only ever see typed values; the rows are also what an API description can be made from.
 */

/** What the service answers to. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as a handler sees it. `param` is a part of the path; it is present by the route's own pattern. */
export interface Call<B, Q> {
  param(name: string): string;
  readonly query: Q;
  readonly body: B;
  /** A body that is no JSON, where the row takes one. */
  readonly bytes: Uint8Array;
  readonly headers: AskedHeaders;
  /** Aborts when the client went away. */
  readonly signal: AbortSignal;
  /** The answer on the connection, for a stream; `null` when the request came on none. */
  readonly outgoing: ServerResponse | null;
}

/** What the HTTP layer hands over, nothing of it trusted. */
export interface RawCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: AskedHeaders;
  readonly signal: AbortSignal;
  readonly outgoing: ServerResponse | null;
}

/** One row. What the handler gets has been parsed by `body` and `query`. */
export interface Route {
  readonly method: Method;
  /** Under `/v1`, with `:name` for parts. */
  readonly path: string;
  /** One line for the API description. */
  readonly summary: string;
  readonly body: z.ZodType | null;
  readonly query: z.ZodType | null;
  /** The body is bytes and no JSON, at most so many. */
  readonly bytes: number | null;
  perform(call: RawCall): Promise<Response>;
}

interface RouteSpec<B, Q> {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType<B>;
  readonly query?: z.ZodType<Q>;
  /** Takes bytes instead of JSON, at most so many. */
  readonly bytes?: number;
  /** Names of path parts that the body's schema expects too; the path wins. */
  readonly fromPath?: readonly string[];
  handle(call: Call<B, Q>): Promise<Response>;
}

/** Makes a row. A body or query that does not fit is refused with `invalid`, naming the first field that is wrong. */
export function route<B = undefined, Q = undefined>(spec: RouteSpec<B, Q>): Route {
  const { method, path, summary, body, query, bytes = null, fromPath = [] } = spec;
  return {
    method,
    path,
    summary,
    body: body ?? null,
    query: query ?? null,
    bytes,
    async perform(raw) {
      const merged =
        fromPath.length === 0 ? raw.body : { ...record(raw.body), ...pick(raw.params, fromPath) };
      return spec.handle({
        param: name => raw.params[name] ?? '',
        query: parsed(query, raw.query, 'The query'),
        body: parsed(body, merged, 'The body'),
        bytes: raw.body instanceof Uint8Array ? raw.body : new Uint8Array(),
        headers: raw.headers,
        signal: raw.signal,
        outgoing: raw.outgoing,
      });
    },
  };
}

/** Sends JSON. */
export function jsonResponse(value: unknown, status = 200): Response {
  return jsonTextResponse(JSON.stringify(value), status);
}

/** Sends what is JSON already. */
export function jsonTextResponse(text: string, status = 200): Response {
  return new PlainResponse(text, {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

function parsed<T>(schema: z.ZodType<T> | undefined, value: unknown, where: string): T {
  // A row without a schema is typed `undefined`, which is what it gets.
  if (schema === undefined) return undefined as T;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProblemError('invalid', issueWords(where, result.error));
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function pick(params: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, params[name] ?? '']));
}
