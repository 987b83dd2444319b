import type { ModelChoice } from '@hearth/engine/backend.ts';
import type { ModelTrial } from '@hearth/protocol/models.ts';
import type { Endpoint } from './detection.ts';
import { failureOf } from './failure.ts';
import type { ModelApiPorts } from './ports.ts';
import { asked } from './step.ts';

/** Silence after which a trial is given up, in milliseconds. */
const QUIET_MS = 20_000;
/** The longest that it may take though something comes again and again, in milliseconds. */
const WHOLE_MS = 120_000;

/** Asks an endpoint for a word, to see whether it answers. Costs a few tokens. Never rejects. */
export async function trialOf(
  endpoint: Endpoint,
  { clock, fetch = globalThis.fetch }: ModelApiPorts,
  effort: ModelChoice['effort'] = null,
): Promise<ModelTrial> {
  const { provider, model, key } = endpoint;
  const over = new AbortController();
  const cancel = clock.after(WHOLE_MS, () => over.abort());
  const answer = asked({
    endpoint,
    system: '',
    messages: [{ role: 'user', content: 'Answer with the one word: ready' }],
    tools: [],
    mode: 'free',
    effort,
    maxTokens: null,
    watched: null,
    quietMs: QUIET_MS,
    clock,
    fetch,
    signal: over.signal,
    spoke: () => undefined,
  });
  try {
    for (;;) {
      const next = await answer.next();
      if (next.done !== true) continue;
      const said = next.value.parts.flatMap(part => (part.is === 'text' ? [part.text] : [])).join(' ');
      return { ok: true, provider: provider.id, model, said: said.slice(0, 200) };
    }
  } catch (error) {
    if (over.signal.aborted) return { ok: false, code: 'quiet', message: unfinished(provider.title) };
    const { code, message } = failureOf(error, { who: provider.title, model, key, now: clock.now() });
    return { ok: false, code, message };
  } finally {
    cancel();
  }
}

function unfinished(title: string): string {
  return `${title} has not finished one word in ${WHOLE_MS / 1000} seconds. Look at how it is, or try another model.`;
}
