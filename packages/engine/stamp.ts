import type { Values } from '@hearth/language/value.ts';
import type { Spend } from '@hearth/protocol/spend.ts';
import type { Made } from './entry.ts';
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

/** Keys that tell how an output was made; on the output of a model's node they are the engine's own too. */
const MADE_KEYS: ReadonlySet<string> = new Set([
  '_backend',
  '_model',
  '_tokens',
  '_cost_usd',
  '_duration_ms',
  '_context_used',
  '_context_window',
]);

/** A model's output with what it was made with and what it cost; an unknown figure is null, and not zero. */
export function withFacts(output: Values, made: Made | undefined, spend: Spend): Values {
  const own = Object.entries(output).filter(([key]) => !MADE_KEYS.has(key));
  return {
    ...Object.fromEntries(own),
    _backend: made?.backend ?? null,
    _model: made?.model ?? null,
    _tokens: spend.tokens,
    _cost_usd: spend.unpriced > 0 ? null : spend.costUsd,
    _duration_ms: spend.activeMs,
    _context_used: made?.contextUsed ?? null,
    _context_window: made?.contextWindow ?? null,
  };
}
