import { Bare } from '@hearth/protocol/command.ts';
import { Login } from '@hearth/protocol/login.ts';
import type { Logins } from '../login.ts';
import { ProblemError } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/** Asking for a code, which only whoever has the token may: a browser could else extend its session for ever. */
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
      body: Bare,
      async handle(call) {
        if (!call.headers.has('authorization')) {
          throw new ProblemError(
            'unauthorized',
            'A code is given to the holder of the token alone: run "hearth studio" in a terminal.',
          );
        }
        await wiring.prepareStudio();
        return jsonResponse(wiring.logins.issue(call.body.actor.name));
      },
    }),
  ];
}

/** Routes that need no authority, below `/` and not `/v1`. */
export function loginRoutes({ logins }: { readonly logins: Logins }): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/login',
      summary: 'Exchanges a code for a session cookie.',
      body: Login,
      handle(call) {
        const session = logins.exchange(call.body.code);
        if (session === null) {
          throw new ProblemError(
            'code_unusable',
            'This link was used already or is too old: run "hearth studio" for a new one.',
          );
        }
        const answer = jsonResponse({ name: session.name });
        answer.headers.set('set-cookie', session.cookie);
        return Promise.resolve(answer);
      },
    }),
  ];
}
