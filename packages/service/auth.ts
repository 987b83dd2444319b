import { hash as digest, timingSafeEqual } from 'node:crypto';
import type { Problem } from '@hearth/protocol/problem.ts';
import type { AskedHeaders } from './asked.ts';
import { problem } from './problem.ts';

/*
 * Who may ask. The service listens on loopback, which keeps strangers out but not a web page in the person's own
 * browser: so the Host must name loopback and our port (no rebinding), an Origin must be our own (no cross-site
 * request), and there must be the home's token as bearer or a session's cookie. A browser sends the cookie by itself, to
 * every port of the host and from pages of every port; so whoever comes with it must also come from our own page.
 */

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Knows the sessions of browsers. */
export interface Sessions {
  /** Whether a `Cookie` header holds a session that runs. */
  knows(header: string | null): boolean;
}

/** Judges requests for one token and one port. */
export class Gate {
  #token: Buffer;
  readonly #sessions: Sessions;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor(token: string, port: number, sessions: Sessions = { knows: () => false }) {
    this.#token = hash(token);
    this.#sessions = sessions;
    this.#hosts = new Set(LOOPBACK.map(host => `${host}:${port}`));
    this.#origins = new Set(LOOPBACK.map(host => `http://${host}:${port}`));
  }

  /** From now on this token is the one, and no other. */
  admit(token: string): void {
    this.#token = hash(token);
  }

  /** `null` when the request was sent to our address, and not by a foreign page. Asks for no authority. */
  judgePlace(headers: AskedHeaders): Problem | null {
    const host = headers.get('host')?.toLowerCase() ?? '';
    if (!this.#hosts.has(host)) {
      return problem(
        'foreign_host',
        'The Host header names another machine: reach the service by its loopback address.',
      );
    }
    const origin = headers.get('origin');
    return origin === null || this.#origins.has(origin.toLowerCase()) ? null : foreign();
  }

  /** `null` when the request may pass. */
  judge(method: string, headers: AskedHeaders): Problem | null {
    return this.judgePlace(headers) ?? this.#judgeAuthority(method, headers);
  }

  #judgeAuthority(method: string, headers: AskedHeaders): Problem | null {
    const authorization = headers.get('authorization');
    if (authorization === null && this.#sessions.knows(headers.get('cookie'))) {
      return ownPage(method, headers) ? null : foreign();
    }
    const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (given === undefined) {
      return problem(
        'unauthorized',
        'The request carries neither a bearer nor a session: send the token that stands in the file "token" of the home, or run "hearth studio" to sign a browser in.',
      );
    }
    // Digests have one length whatever was sent, so the comparison tells nothing about the token.
    if (!timingSafeEqual(hash(given), this.#token)) {
      return problem(
        'unauthorized',
        'The bearer is not the token of this home: read it again from the file "token".',
      );
    }
    return null;
  }
}

/** A browser says where a request comes from, and always names the origin of a page that writes. */
function ownPage(method: string, headers: AskedHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  return method === 'GET' || headers.get('origin') !== null;
}

function foreign(): Problem {
  return problem(
    'foreign_origin',
    'The request comes from a page of another origin, and only our own pages may ask.',
  );
}

function hash(text: string): Buffer {
  return digest('sha256', text, 'buffer');
}
