import type { IncomingMessage } from 'node:http';

/*
 * A request as it came on a connection, with what the service asks of one. It is none of Node's own requests, which are loaded
 * with all of its `fetch`.
 */

/** The headers of a request. Several of one name are one, as the standard joins them. */
export type AskedHeaders = Pick<Headers, 'get' | 'has'>;

/** What the service asks of a request; any `Request` will do. */
export interface Asked extends Pick<Request, 'method' | 'url' | 'signal'> {
  readonly headers: AskedHeaders;
  /** `null` where a request of that method brings none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** What came on a connection as a request; `null` when its target is no address of ours. `signal` aborts when the client left. */
export function askedIn(incoming: IncomingMessage, signal: () => AbortSignal): Asked | null {
  const { method = 'GET', headersDistinct: known } = incoming;
  const url = urlOf(incoming.url ?? '');
  if (url === null) return null;
  const valueOf = (name: string): string | null => {
    const lower = name.toLowerCase();
    return known[lower]?.join(lower === 'cookie' ? '; ' : ', ') ?? null;
  };
  return {
    method,
    url,
    headers: { get: valueOf, has: name => valueOf(name) !== null },
    // Whoever reads only a part of it still answers on the same connection.
    body: method === 'GET' || method === 'HEAD' ? null : incoming.iterator({ destroyOnReturn: false }),
    get signal() {
      return signal();
    },
  };
}

/** A target in its own form or with a host, of which the gate judges only what the header says. */
function urlOf(target: string): string | null {
  const [path = ''] = target.split('?');
  if (path.includes('\\')) return null;
  const whole = target.startsWith('/') ? `http://127.0.0.1${target}` : target;
  return /^https?:\/\//.test(whole) && URL.canParse(whole) ? new URL(whole).href : null;
}
