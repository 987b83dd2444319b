import { HearthClient } from '@hearth/client/http.ts';
import { asProblem, readProblem } from '@hearth/client/problem.ts';
import { SignedIn } from '@hearth/protocol/login.ts';

/*
 * Signing in, and the client of whoever is. The cookie is the browser's; the page only remembers who asked for the code,
 * so that words are called "yours" on every surface.
 */

const NAME = 'hearth.name';

/** Exchanges a code for the session cookie. Resolves to why that was not possible, `null` when it was. */
export async function signIn(code: string): Promise<string | null> {
  try {
    const response = await fetch('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) return readProblem('POST /login', response.status, body).detail;
    const signedIn = SignedIn.safeParse(body);
    if (signedIn.success) localStorage.setItem(NAME, signedIn.data.name);
    return null;
  } catch (error) {
    return `The service does not answer (${asProblem(error).detail}).`;
  }
}

/** The client of this page. It sends no token: the browser adds the cookie. */
export function pageClient(): HearthClient {
  return new HearthClient({
    address: location.origin,
    surface: 'studio',
    name: localStorage.getItem(NAME) ?? 'person',
    newCommandId: () => crypto.randomUUID(),
  });
}
