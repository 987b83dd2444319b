import { Login, LoginCodeRequest, type Session } from '@hearth/protocol/login.ts';
import type { Logins } from '../login.ts';
import { placeOf } from '../place.ts';
import { ProblemError } from '../problem.ts';
import type { RateLimit } from '../rate-limit.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/**
 * Asking for a code, which only whoever has the token may: a browser could else extend its session for ever. And asking
 * what a session is.
 */
export function loginCodeRoutes(wiring: {
  readonly logins: Logins;
  /** Makes sure that there is a page to sign in to. */
  prepareStudio(): Promise<void>;
}): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/login-codes',
      summary: 'Gives a code that signs one browser in to the studio, once, within five minutes.',
      body: LoginCodeRequest,
      async handle(call) {
        if (!call.headers.has('authorization')) {
          throw new ProblemError(
            'unauthorized',
            'A code is given to the holder of the token alone: run "hearth studio" in a terminal.',
          );
        }
        const { actor, workspace } = call.body;
        const place = workspace === undefined ? null : await placeOf(workspace);
        await wiring.prepareStudio();
        return jsonResponse(wiring.logins.issue({ name: actor.name, workspace: place }));
      },
    }),
    route({
      method: 'GET',
      path: '/session',
      summary: 'Says whose session this browser has, and where its messages work.',
      handle(call) {
        const session = wiring.logins.session(call.headers.get('cookie'));
        if (session === null) {
          throw new ProblemError(
            'unknown_session',
            'This caller holds the token and has no session: only a browser that signed in has one.',
          );
        }
        return Promise.resolve(jsonResponse(session satisfies Session));
      },
    }),
  ];
}

/** What signing in works with. */
export interface LoginWiring {
  readonly logins: Logins;
  /** How often a code may be wrong. */
  readonly attempts: RateLimit;
}

/** Routes that need no authority, below `/` and not `/v1`. */
export function loginRoutes({ logins, attempts }: LoginWiring): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/login',
      summary: 'Exchanges a code for a session cookie.',
      body: Login,
      handle(call) {
        const wait = attempts.wait();
        if (wait > 0) {
          const seconds = Math.ceil(wait / 1000);
          const said = `Too many codes were tried that cannot be used: wait ${seconds} s and try again.`;
          throw new ProblemError('too_many_attempts', said, undefined, wait);
        }
        const made = logins.exchange(call.body.code);
        if (made === null) {
          attempts.take();
          throw new ProblemError(
            'code_unusable',
            'This link was used already or is too old: run "hearth studio" for a new one.',
          );
        }
        const answer = jsonResponse(made.session);
        answer.headers.set('set-cookie', made.cookie);
        return Promise.resolve(answer);
      },
    }),
  ];
}
