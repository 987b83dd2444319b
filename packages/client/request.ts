import { HearthProblem, unreachable, unreadable } from './problem.ts';
import type { Reader, Readers } from './readers.ts';
import type { Timers } from './timers.ts';
import { rest } from './timers.ts';

/*
 * One request and its answer. A call that got no answer rejects with `unreachable`; a write that got none is sent again
 * under the same command id, which the service judges once however often it arrives.
 */

/** How long to wait before a write is sent again, in milliseconds; when they are used up it is given up. */
const AGAIN_AFTER = [150, 400, 1000, 2000];
/** How long one attempt may take, in milliseconds. */
const PATIENCE = 30_000;

/** What is asked of a service. */
export interface Asked {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

/** The part of a response that is used. */
export interface Answered {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
  /** The whole body. */
  text(): Promise<string>;
}

/** The part of `fetch` that is used. It rejects when no response came. */
export type Fetch = (url: string, asked: Asked) => Promise<Answered>;

/** Where calls go and by what authority. */
export interface Target {
  /** As in `http://127.0.0.1:4310`; empty in a page that the service itself served. */
  readonly address: string;
  /** The home's bearer; a page has a cookie instead. */
  readonly token: string | null;
  readonly fetch: Fetch;
  readonly timers: Timers;
  readonly readers: Pick<Readers, 'problem'>;
}

/** One request and how its answer is read. */
export interface Call<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, below `/v1`. */
  readonly path: string;
  readonly schema: Reader<T>;
  /** A body makes the call a write. It must carry its command id already. */
  readonly body?: unknown;
  /** A body that is no JSON, and means the same however often it arrives. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal | undefined;
  /** How long an attempt may take, in milliseconds, where that is longer than usual. */
  readonly patience?: number;
  /** A write that costs something each time that it arrives: it is not sent again. */
  readonly once?: true;
  /** Reads an answer that is no success but no problem either; `undefined` means it is one. */
  readonly other?: (status: number, body: unknown) => T | undefined | Promise<T | undefined>;
}

/** The headers that every request carries. */
export function headersFor(target: Target, more: Record<string, string> = {}): Record<string, string> {
  const bearer: Record<string, string> =
    target.token === null ? {} : { authorization: `Bearer ${target.token}` };
  return { accept: 'application/json', ...bearer, ...more };
}

/** Text as JSON; `undefined` where it is none. */
export function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request as it is sent, whatever its answer is read as. */
type Sent = Pick<Call<unknown>, 'method' | 'path' | 'body' | 'bytes' | 'signal' | 'patience'>;

function nameOf({ method, path }: Sent): string {
  return `${method} /v1${path.split('?')[0] ?? ''}`;
}

/** One attempt, with its whole answer. Rejects with `unreachable`, or with the signal's reason when that is aborted. */
async function exchange(
  target: Target,
  call: Sent,
): Promise<{ readonly status: number; readonly text: string }> {
  const limit = new AbortController();
  const stop = target.timers.after(call.patience ?? PATIENCE, () => limit.abort());
  const signal = call.signal === undefined ? limit.signal : AbortSignal.any([call.signal, limit.signal]);
  const { written, typed } = bodyOf(call);
  try {
    const response = await target.fetch(`${target.address}/v1${call.path}`, {
      method: call.method,
      headers: headersFor(target, typed),
      signal,
      ...written,
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (call.signal?.aborted === true) throw call.signal.reason;
    throw unreachable(nameOf(call), target.address, error);
  } finally {
    stop();
  }
}

function bodyOf({ body, bytes }: Sent): {
  readonly written: { readonly body?: string | Uint8Array<ArrayBuffer> };
  readonly typed: Record<string, string>;
} {
  if (bytes !== undefined)
    return { written: { body: bytes }, typed: { 'content-type': 'application/octet-stream' } };
  if (body === undefined) return { written: {}, typed: {} };
  return { written: { body: JSON.stringify(body) }, typed: { 'content-type': 'application/json' } };
}

/** Whether a status is one of success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

async function attempt<T>(target: Target, call: Call<T>): Promise<T> {
  const { status, text } = await exchange(target, call);
  const body = parsed(text);
  if (!isSuccess(status)) {
    const other = await call.other?.(status, body);
    if (other !== undefined) return other;
    throw await target.readers.problem(nameOf(call), status, body);
  }
  const answer = await call.schema.safeParse(body);
  if (!answer.success) throw unreadable(nameOf(call), status);
  return answer.data;
}

/** Reads a text that is no JSON. Rejects as `request` does. */
export async function requestText(
  target: Target,
  call: { readonly method: 'GET'; readonly path: string; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const { status, text } = await exchange(target, call);
  if (isSuccess(status)) return text;
  throw await target.readers.problem(nameOf(call), status, parsed(text));
}

/** Makes the call. Rejects with a `HearthProblem`, or with the signal's reason when that is aborted. */
export async function request<T>(target: Target, call: Call<T>): Promise<T> {
  const writes = call.body !== undefined || call.bytes !== undefined;
  const waits = writes && call.once !== true ? AGAIN_AFTER : [];
  for (const wait of waits) {
    try {
      return await attempt(target, call);
    } catch (error) {
      if (!(error instanceof HearthProblem) || error.code !== 'unreachable') throw error;
      await rest(target.timers, wait, call.signal);
      if (call.signal?.aborted === true) throw call.signal.reason;
    }
  }
  return attempt(target, call);
}

/** A path's query; what is `undefined` is left out. */
export function query(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}
