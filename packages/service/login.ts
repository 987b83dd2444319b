import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type LoginCode, Session } from '@hearth/protocol/login.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { z } from 'zod';

/*
 * How a browser is let in without ever holding the home's token: a code, made for whoever has the token, is exchanged
 * once for a cookie that no script can read. Guarantees: a code opens one session and only within its few minutes; a
 * session is signed with a key made of the token, so it outlives a restart of the service, and a new token ends all of
 * them; a session of another home is no session here, although a browser sends cookies to every port of a host. Who sits
 * there and where they work is signed too: it was said by whoever asked for the code and by no page.
 */

/** How long a code can be used, in milliseconds. */
export const CODE_MS = 5 * 60_000;
/** How long a browser stays signed in, in milliseconds. */
export const SESSION_MS = 30 * 24 * 3_600_000;
/** Codes that may wait to be used; the oldest gives way. */
const CODES = 16;

interface Issued {
  readonly expires: number;
  readonly session: Session;
}

/** What a cookie holds, before its signature. */
const Held = Session.extend({ expires: z.number() });
type Held = z.infer<typeof Held>;

/** The codes and sessions of one service. Codes are in its memory only, so they end with it. */
export class Logins {
  readonly #clock: Clock;
  #key: Buffer;
  #cookie: string;
  /** By the code's digest, the oldest first. */
  readonly #issued = new Map<string, Issued>();

  constructor(token: string, clock: Clock) {
    this.#clock = clock;
    [this.#key, this.#cookie] = keysOf(token);
  }

  /** Another token: every session and every code of the old one has ended. */
  admit(token: string): void {
    [this.#key, this.#cookie] = keysOf(token);
    this.#issued.clear();
  }

  /** A new code for a session of whoever asked for it. */
  issue(session: Session): LoginCode {
    const code = randomBytes(18).toString('base64url');
    const expires = this.#clock.now() + CODE_MS;
    this.#issued.set(digest(code), { expires, session });
    for (const old of this.#issued.keys()) {
      if (this.#issued.size <= CODES) break;
      this.#issued.delete(old);
    }
    return { code, expiresAt: new Date(expires).toISOString() };
  }

  /** Uses a code up: the new session and its `Set-Cookie`; `null` for a code that is unknown, used or too old. */
  exchange(code: string): { readonly cookie: string; readonly session: Session } | null {
    const key = digest(code);
    const issued = this.#issued.get(key);
    this.#issued.delete(key);
    if (issued === undefined || issued.expires <= this.#clock.now()) return null;
    const { session } = issued;
    const held: Held = { ...session, expires: this.#clock.now() + SESSION_MS };
    const body = Buffer.from(JSON.stringify(held)).toString('base64url');
    const value = `${body}.${this.#signature(body)}`;
    const cookie = `${this.#cookie}=${value}; Max-Age=${SESSION_MS / 1000}; Path=/v1; HttpOnly; SameSite=Strict`;
    return { cookie, session };
  }

  /** Whether a `Cookie` header holds a session that is ours and still runs. */
  knows(header: string | null): boolean {
    return this.session(header) !== null;
  }

  /** The session that a `Cookie` header holds; `null` when it is not ours or runs no more. */
  session(header: string | null): Session | null {
    for (const part of (header ?? '').split(';')) {
      const [name, value = ''] = part.trim().split('=');
      const held = name === this.#cookie ? this.#held(value) : null;
      if (held !== null && held.expires > this.#clock.now()) {
        return { name: held.name, workspace: held.workspace };
      }
    }
    return null;
  }

  #held(value: string): Held | null {
    const [body = '', signature = ''] = value.split('.');
    const given = Buffer.from(signature);
    const ours = Buffer.from(this.#signature(body));
    if (given.length !== ours.length || !timingSafeEqual(given, ours)) return null;
    try {
      // What is signed is ours, but may be of an older version.
      return Held.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString())).data ?? null;
    } catch {
      return null;
    }
  }

  #signature(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

/** What signs the sessions of a token, and what their cookie is called. */
function keysOf(token: string): [key: Buffer, cookie: string] {
  const home = createHmac('sha256', token).update('studio cookie').digest('hex').slice(0, 12);
  return [createHmac('sha256', token).update('studio session').digest(), `hearth-${home}`];
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
