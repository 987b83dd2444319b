import { BackendMissing } from '@hearth/backends/choice.ts';
import { ScriptedBackend } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, test } from 'vitest';
import { backendChooser, currentChoice, type Environment, standardBackends } from './choice.ts';

/** The installation's backends in an environment, with a network on which only Ollama may be. */
function installed(env: Environment, ollama: readonly string[] | null = null) {
  const fetch: typeof globalThis.fetch = () =>
    ollama === null
      ? Promise.reject(new Error('refused'))
      : Promise.resolve(Response.json({ models: ollama.map(name => ({ name })) }));
  return standardBackends({ disk: new SimDisk(), clock: new SimClock(), ids: countedIds(), env, fetch });
}

describe('what a bot gets that leaves everything open', () => {
  const anthropic = { ANTHROPIC_API_KEY: 'a' };
  const openai = { OPENAI_API_KEY: 'o' };
  test.each<[Environment, readonly string[] | null, string, string]>([
    [{}, null, 'rehearsal', 'no model is configured'],
    [{ ANTHROPIC_API_KEY: ' ' }, null, 'rehearsal', 'no model is configured'],
    [
      { ...anthropic, ...openai },
      ['llama3'],
      'model-api',
      'anthropic/claude-sonnet-5, since ANTHROPIC_API_KEY is set',
    ],
    [openai, ['llama3'], 'model-api', 'openai/gpt-6.1-sol, since OPENAI_API_KEY is set'],
    [{}, ['llama3', 'phi'], 'model-api', 'ollama/llama3, since Ollama runs on this machine'],
    [{}, [], 'rehearsal', 'no model is configured'],
    [{ ...anthropic, HEARTH_BACKEND: 'rehearsal' }, null, 'rehearsal', 'HEARTH_BACKEND names it'],
    [{ ...openai, HEARTH_BACKEND: 'claw' }, null, 'model-api', 'HEARTH_BACKEND names it'],
    [{ ...anthropic, ...openai, HEARTH_MODEL: 'gpt-4o' }, null, 'model-api', 'openai/gpt-4o, since'],
    [{ ...anthropic, HEARTH_MODEL: 'ollama/phi' }, ['llama3'], 'model-api', 'ollama/phi, since'],
    [{ ...anthropic, HEARTH_MODEL: 'auto' }, null, 'model-api', 'anthropic/'],
    [{ HEARTH_MODEL: 'anthropic/claude-x' }, ['llama3'], 'none', 'set ANTHROPIC_API_KEY'],
    [{ HEARTH_BACKEND: 'model_api' }, null, 'none', 'no model is configured'],
    [{ HEARTH_MODEL: 'gpt-4o', HEARTH_BACKEND: 'rehearsal' }, null, 'rehearsal', 'HEARTH_BACKEND names it'],
  ])('%j with Ollama %j is %s: %s', async (env, ollama, name, why) => {
    const choice = await currentChoice(installed(env, ollama), env);
    expect(choice.name).toBe(name);
    expect(choice.why).toContain(why);
  });
});

describe('the model of a node', () => {
  const env = { ANTHROPIC_API_KEY: 'a', HEARTH_MODEL: 'openai/gpt-4o', EFFORT: 'high' };
  const backends = [new ScriptedBackend([], { name: 'model-api' })];
  test.each([
    [null, 'openai/gpt-4o'],
    ['auto', 'openai/gpt-4o'],
    ['${HEARTH_MODEL:-auto}', 'openai/gpt-4o'],
    ['claude-opus-4-5', 'claude-opus-4-5'],
    ['${OTHER:-auto}', 'openai/gpt-4o'],
  ])('%j is %s', async (model, expected) => {
    const wanted = { backend: null, model, provider: null, effort: '${EFFORT}' };
    expect((await backendChooser(backends, env)(wanted)).model).toEqual({
      model: expected,
      provider: null,
      effort: 'high',
    });
  });
  test('that asks for a backend which is not there is refused', async () => {
    const wanted = { backend: 'codex', model: null, provider: null, effort: null };
    await expect(backendChooser(backends, env)(wanted)).rejects.toBeInstanceOf(BackendMissing);
  });
});
