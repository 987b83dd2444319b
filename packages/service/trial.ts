import { join } from 'node:path';
import { type Backend, type BackendTurn, type Host } from '@hearth/engine/backend.ts';
import type { ModelTrial } from '@hearth/protocol/models.ts';
import type { TrialPlace } from './models.ts';

/** Silence after which a trial is given up, in milliseconds. */
const QUIET_MS = 60_000;
/** The longest that it may take, in milliseconds: whoever asked waits for it. */
const WHOLE_MS = 120_000;

/** A host for a turn that has no tools. */
const NO_TOOLS: Host = {
  call: () => Promise.resolve({ content: null, error: 'There are no tools here.' }),
  permit: () => Promise.resolve('deny'),
};

/**
 * Asks a backend for a word by a turn of its own, without tools, in a directory that is removed afterwards. Costs what a
 * short turn costs. Never rejects.
 */
export async function trialOf(
  backend: Backend,
  model: string,
  { disk, directory, clock }: TrialPlace,
): Promise<ModelTrial> {
  const found = await backend.detect().catch(() => null);
  if (found?.usable !== true)
    return {
      ok: false,
      code: 'missing',
      message: `"${backend.name}" cannot be used: ${found?.why ?? 'unknown'}.`,
    };
  const abort = new AbortController();
  const cancel = clock.after(WHOLE_MS, () => abort.abort());
  const workspace = join(directory, 'workspace');
  try {
    await disk.makeDirectory(workspace);
    const run = backend.start(turnOf(model, directory, workspace), NO_TOOLS, abort.signal);
    let answered = model;
    for await (const event of run) {
      if (event.type === 'session' && event.model !== undefined) answered = event.model;
      if (event.type === 'failed') return { ok: false, code: event.code, message: event.message };
      if (event.type === 'done')
        return { ok: true, provider: backend.name, model: answered, said: event.text.slice(0, 200) };
    }
    if (abort.signal.aborted) return unfinished(backend);
    return { ok: false, code: 'protocol', message: `"${backend.name}" ended without an answer.` };
  } catch (error) {
    if (abort.signal.aborted) return unfinished(backend);
    const message = error instanceof Error ? error.message : 'unknown';
    return { ok: false, code: 'crashed', message: `"${backend.name}" broke: ${message}` };
  } finally {
    cancel();
    abort.abort();
    await disk.remove(directory).catch(() => undefined);
  }
}

function unfinished({ name }: Backend): ModelTrial {
  const message = `"${name}" has not finished one word in ${WHOLE_MS / 1000} seconds: look at how it is, or try another.`;
  return { ok: false, code: 'quiet', message };
}

function turnOf(model: string, directory: string, workspace: string): BackendTurn {
  return {
    effect: 'e1',
    attempt: 1,
    node: 'trial',
    directory,
    workspace,
    session: { mode: 'fresh' },
    prompt: { system: '', user: 'Answer with the one word: ready', attachments: [] },
    answers: [],
    tools: [],
    native: [],
    mayAsk: false,
    permission: { mode: 'deny', allow: [], ask: [], deny: [] },
    output: null,
    model: { model, provider: null, effort: null },
    maxSteps: 2,
    quietMs: QUIET_MS,
  };
}
