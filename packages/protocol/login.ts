import { z } from 'zod';
import { Instant } from './ids.ts';

/** POST `/login-codes`: what lets one browser in, once, until then. */
export const LoginCode = z.object({ code: z.string(), expiresAt: Instant });
export type LoginCode = z.infer<typeof LoginCode>;

/** POST `/login`, outside `/v1`: the code, for a session cookie. */
export const Login = z.object({ code: z.string().min(1).max(128) });
export type Login = z.infer<typeof Login>;

/** The answer to a login: who asked for the code, and so who sits there. */
export const SignedIn = z.object({ name: z.string() });
export type SignedIn = z.infer<typeof SignedIn>;
