import { createHash, timingSafeEqual } from 'node:crypto';
import type { Problem } from '@hearth/protocol/problem.ts';
import { problem } from './problem.ts';

/*
 * Who may ask. The service listens on loopback, which keeps strangers out but not a web page in the person's own
 * browser: so the Host must name loopback and our port (no rebinding), an Origin must be our own (no cross-site
 * request), and the bearer must be the home's token.
 */

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Judges requests for one token and one port. */
export class Gate {
  readonly #token: Buffer;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor(token: string, port: number) {
    this.#token = hash(token);
    this.#hosts = new Set(LOOPBACK.map(host => `${host}:${port}`));
    this.#origins = new Set(LOOPBACK.map(host => `http://${host}:${port}`));
  }

  /** `null` when the request may pass. */
  judge(headers: Headers): Problem | null {
    const host = headers.get('host')?.toLowerCase() ?? '';
    if (!this.#hosts.has(host)) {
      return problem(
        'foreign_host',
        'The Host header names another machine: reach the service by its loopback address.',
      );
    }
    const origin = headers.get('origin');
    if (origin !== null && !this.#origins.has(origin.toLowerCase())) {
      return problem(
        'foreign_origin',
        'The request comes from a page of another origin, and only our own pages may ask.',
      );
    }
    const given = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (given === undefined) {
      return problem(
        'unauthorized',
        'The request carries no bearer: send the token that stands in the file "token" of the home.',
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

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
