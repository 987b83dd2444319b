import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LoginCode } from '@hearth/protocol/login.ts';
import type { Clock } from '@hearth/store/clock.ts';

/*
 * How a browser is let in without ever holding the home's token: a code, made for whoever has the token, is exchanged
 * once for a cookie that no script can read. Guarantees: a code opens one session and only within its few minutes; a
 * session is signed with a key made of the token, so it outlives a restart of the service, and a new token ends all of
 * them; a session of another home is no session here, although a browser sends cookies to every port of a host.
 */

/** How long a code can be used, in milliseconds. */
export const CODE_MS = 5 * 60_000;
/** How long a browser stays signed in, in milliseconds. */
export const SESSION_MS = 30 * 24 * 3_600_000;
/** Codes that may wait to be used; the oldest gives way. */
const CODES = 16;

interface Issued {
  readonly expires: number;
  readonly name: string;
}

export class Logins {
  readonly #clock: Clock;
  readonly #key: Buffer;
  readonly #cookie: string;
  /** By the code's digest, the oldest first. */
  readonly #issued = new Map<string, Issued>();

  constructor(token: string, clock: Clock) {
    this.#clock = clock;
    this.#key = createHmac('sha256', token).update('studio session').digest();
    const home = createHmac('sha256', token).update('studio cookie').digest('hex').slice(0, 12);
    this.#cookie = `hearth-${home}`;
  }

  /** A new code; `name` is who asked for it. */
  issue(name: string): LoginCode {
    const code = randomBytes(18).toString('base64url');
    const expires = this.#clock.now() + CODE_MS;
    this.#issued.set(digest(code), { expires, name });
    for (const old of this.#issued.keys()) {
      if (this.#issued.size <= CODES) break;
      this.#issued.delete(old);
    }
    return { code, expiresAt: new Date(expires).toISOString() };
  }

  /** Uses a code up: the `Set-Cookie` of a new session, and who asked; `null` for one that is unknown, used or too old. */
  exchange(code: string): { readonly cookie: string; readonly name: string } | null {
    const key = digest(code);
    const issued = this.#issued.get(key);
    this.#issued.delete(key);
    if (issued === undefined || issued.expires <= this.#clock.now()) return null;
    const expires = this.#clock.now() + SESSION_MS;
    const value = `${expires}.${this.#signature(expires)}`;
    const cookie = `${this.#cookie}=${value}; Max-Age=${SESSION_MS / 1000}; Path=/v1; HttpOnly; SameSite=Strict`;
    return { cookie, name: issued.name };
  }

  /** Whether a `Cookie` header holds a session that is ours and still runs. */
  knows(header: string | null): boolean {
    const named = (header ?? '').split(';').map(part => part.trim().split('='));
    return named.some(([name, value = '']) => name === this.#cookie && this.#runs(value));
  }

  #runs(value: string): boolean {
    const [expires = '', signature = ''] = value.split('.');
    if (!/^\d{1,15}$/.test(expires) || Number(expires) <= this.#clock.now()) return false;
    const given = Buffer.from(signature);
    const ours = Buffer.from(this.#signature(Number(expires)));
    return given.length === ours.length && timingSafeEqual(given, ours);
  }

  #signature(expires: number): string {
    return createHmac('sha256', this.#key).update(String(expires)).digest('base64url');
  }
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
