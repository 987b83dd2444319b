import type { Values } from '@hearth/language/value.ts';
import type { SessionRef } from './state.ts';

/** The keys by which an output names its session. They are the engine's own: what else wrote them is not believed. */
const SESSION_KEYS: ReadonlySet<string> = new Set([
  '_session_id',
  '_session_fingerprint',
  '_session_degraded',
]);

/** An agent's output with the stamps of its session, by which an edge carries it on. */
export function stamped(output: Values, session: SessionRef | null): Values {
  const own = Object.entries(output).filter(([key]) => !SESSION_KEYS.has(key));
  return { ...Object.fromEntries(own), ...stampOf(session) };
}

function stampOf(session: SessionRef | null): Values {
  if (session === null) return {};
  const { id, fingerprint, degraded } = session;
  return {
    _session_id: id,
    _session_fingerprint: fingerprint,
    ...(degraded === undefined ? {} : { _session_degraded: true }),
  };
}
