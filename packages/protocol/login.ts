import { z } from 'zod';
import { Bare } from './command.ts';
import { Instant } from './ids.ts';

/** UTF-8 bytes of the longest path that fits into a cookie beside the rest. */
const PATH_BYTES = 2048;

function fits(path: string): boolean {
  return new TextEncoder().encode(path).length <= PATH_BYTES;
}

/** POST `/login-codes`: `workspace` is where whoever asks stands, an absolute path; the session will work there. */
export const LoginCodeRequest = Bare.extend({
  workspace: z.string().refine(fits, `longer than ${PATH_BYTES} bytes`).exactOptional(),
});
export type LoginCodeRequest = z.infer<typeof LoginCodeRequest>;

/** The answer: what lets one browser in, once, until then. */
export const LoginCode = z.object({ code: z.string(), expiresAt: Instant });
export type LoginCode = z.infer<typeof LoginCode>;

/** POST `/login`, outside `/v1`: the code, for a session cookie. */
export const Login = z.object({ code: z.string().min(1).max(128) });
export type Login = z.infer<typeof Login>;

/**
 * Who sits at a browser, and where their messages work: whoever asked for the code, and the folder in which they did,
 * `null` when they named none. The answer to a login, and of GET `/session`.
 */
export const Session = z.object({ name: z.string(), workspace: z.string().nullable() });
export type Session = z.infer<typeof Session>;
