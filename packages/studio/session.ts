import { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import { readProblem } from '@hearth/client/read-problem.ts';
import { rest, systemTimers } from '@hearth/client/timers.ts';
import { Session } from '@hearth/protocol/login.ts';

/*
 * Signing in, and the client of whoever is. The cookie is the browser's and holds the session; a tab keeps the session
 * that it was opened with, so that a link from another folder, in another tab, moves no work that goes on here.
 */

const KEPT = 'hearth.session';
/** Milliseconds before a service that does not answer is asked again. */
const AGAIN = 1000;

/** The session of this tab; or why it has none, in a sentence for a person. */
export type Entry = Session | { readonly why: string };

/**
 * Uses a code up, if there is one; without one, or with one that is of no use any more, the tab goes on with the session
 * that the browser has. `onSilence` is told once when the service does not answer, and then it is waited for.
 */
export async function enter(code: string | null, onSilence: () => void): Promise<Entry> {
  const signedIn = code === null ? { why: 'There is no session.' } : await signIn(code);
  if (!('why' in signedIn)) return keep(signedIn);
  const client = pageClient('person');
  for (let told = false; ; told = true) {
    try {
      const session = await client.session();
      return kept() ?? keep(session);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 401) return signedIn;
      if (problem.code !== 'unreachable') return { why: problem.detail };
      if (!told) onSilence();
      await rest(systemTimers, AGAIN);
    }
  }
}

/** Exchanges a code for the session cookie. */
async function signIn(code: string): Promise<Entry> {
  try {
    const response = await fetch('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const body: unknown = await response.json().catch(() => null);
    const session = Session.safeParse(body);
    if (response.ok && session.success) return session.data;
    return { why: readProblem('POST /login', response.status, body).detail };
  } catch (error) {
    return { why: `The service does not answer (${asProblem(error).detail}).` };
  }
}

function keep(session: Session): Session {
  sessionStorage.setItem(KEPT, JSON.stringify(session));
  return session;
}

function kept(): Session | null {
  try {
    return Session.parse(JSON.parse(sessionStorage.getItem(KEPT) ?? ''));
  } catch {
    return null;
  }
}

/** The client of whoever sits here. It sends no token: the browser adds the cookie. */
export function pageClient(name: string): HearthClient {
  return new HearthClient({
    address: location.origin,
    surface: 'studio',
    name,
    newCommandId: () => crypto.randomUUID(),
  });
}
