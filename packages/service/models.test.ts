import { ScriptedBackend } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { done, gate } from '@hearth/backends/testing/scripted/step.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, test } from 'vitest';
import { backendChooser, type Environment, standardBackends } from './choice.ts';
import { DefaultModel } from './default-model.ts';
import { knownModels, modelsOf } from './models.ts';

const HOME = '/home';

function modelsIn(env: Environment, more: readonly ScriptedBackend[] = []) {
  const disk = new SimDisk();
  const fetch = (): Promise<never> => Promise.reject(new Error('refused'));
  const standard = new DefaultModel(disk, HOME, env, 'auto', {});
  const clock = new SimClock();
  const ports = { disk, clock, ids: countedIds(), env: standard.env, fetch };
  const backends = [...more, ...standardBackends(ports)];
  return {
    disk,
    clock,
    backends,
    models: modelsOf(backends, standard, { disk, directory: `${HOME}/trial`, clock }),
  };
}

describe('the list of backends', () => {
  test('has all five, with what was found and why each was or was not chosen', async () => {
    const reports = await modelsIn({ ANTHROPIC_API_KEY: 'sk-secret' }).models.backends();
    expect(reports.map(({ name, usable, chosen }) => [name, usable, chosen])).toEqual([
      ['claude-code', false, false],
      ['codex', false, false],
      ['acp', false, false],
      ['model-api', true, true],
      ['rehearsal', true, false],
    ]);
    expect(reports[2]?.why).toContain('HEARTH_ACP names no agent');
    expect(reports[4]?.reason).toContain('"model-api" comes first');
    expect(JSON.stringify(reports)).not.toContain('sk-secret');
  });

  test('says that nothing can be used where a named one is missing', async () => {
    const reports = await modelsIn({ HEARTH_BACKEND: 'codex' }).models.backends();
    expect(reports.some(({ chosen }) => chosen)).toBe(false);
    expect(reports[4]?.reason).toContain('HEARTH_BACKEND asks for the backend "codex"');
  });
});

test('what is not known of a model is unknown, and not nothing', () => {
  const listed = { title: '', usable: true, why: '', address: null };
  const known = knownModels([
    { ...listed, id: 'ollama', models: ['phi'] },
    { ...listed, id: 'anthropic', models: ['claude-sonnet-5'] },
  ]);
  expect(known.find(({ model }) => model === 'phi')).toEqual({
    provider: 'ollama',
    model: 'phi',
    window: null,
    price: null,
  });
  expect(known.filter(({ model }) => model === 'claude-sonnet-5')).toMatchObject([
    { provider: 'anthropic', window: 1_000_000, price: { input: 2, output: 10 } },
  ]);
});

describe('whose word counts', () => {
  const claude = new ScriptedBackend([], { name: 'claude-code' });
  const api = new ScriptedBackend([], { name: 'model-api' });
  const rehearsal = new ScriptedBackend([], { name: 'rehearsal' });
  const chosen = async (env: Environment, wanted: { backend?: string; model?: string; own?: string }) => {
    const { backend = null, model = null, own = null } = wanted;
    const ofBot = (bot: string): string | null => (bot === 'mine' ? 'claude-code/opus' : null);
    const choose = backendChooser([claude, api, rehearsal], env, ofBot);
    const whose = { bot: own === 'bot' ? 'mine' : 'other', own: own === 'bot' ? null : own };
    const choice = await choose({ backend, model, provider: null, effort: null, whose });
    return `${choice.backend.name} ${choice.model.model}`;
  };
  test.each([
    // The node, then the conversation, the bot, the environment; at last what is there.
    [{}, {}, 'claude-code auto'],
    [{ HEARTH_MODEL: 'rehearsal' }, {}, 'rehearsal auto'],
    [{ HEARTH_MODEL: 'ollama/phi' }, {}, 'model-api ollama/phi'],
    [{ HEARTH_MODEL: 'haiku' }, {}, 'claude-code haiku'],
    [{ HEARTH_MODEL: 'ollama/phi' }, { own: 'bot' }, 'claude-code opus'],
    [{ HEARTH_MODEL: 'ollama/phi' }, { own: 'rehearsal' }, 'rehearsal auto'],
    [{ HEARTH_BACKEND: 'model-api' }, { own: 'claude-code' }, 'claude-code auto'],
    [{ HEARTH_BACKEND: 'claude_code', HEARTH_MODEL: 'ollama/phi' }, {}, 'claude-code auto'],
    [{}, { backend: 'claw', own: 'claude-code/opus' }, 'model-api auto'],
    [{}, { model: 'anthropic/claude-sonnet-5', own: 'claude-code' }, 'model-api anthropic/claude-sonnet-5'],
    [{ HEARTH_MODEL: 'haiku' }, { backend: 'rehearsal', model: 'm' }, 'rehearsal m'],
    // A bot that leaves it to its person is no bot that names one.
    [{ HEARTH_MODEL: 'haiku' }, { model: '${HEARTH_MODEL:-x}', own: 'opus' }, 'claude-code opus'],
    [{ HEARTH_MODEL: 'haiku' }, { model: '${HEARTH_MODEL:-x}' }, 'claude-code haiku'],
    [{}, { model: '${HEARTH_MODEL:-x}' }, 'claude-code x'],
  ])('%j %j', async (env, wanted, expected) => {
    expect(await chosen(env, wanted)).toBe(expected);
  });
});

describe('a trial', () => {
  test('is a turn of the backend that is named, and leaves nothing behind', async () => {
    const codex = new ScriptedBackend([[done({}, 'ready')]], { name: 'codex' });
    const { disk, models } = modelsIn({}, [codex]);
    expect(await models.trial('codex/o5')).toEqual({
      ok: true,
      provider: 'codex',
      model: 'o5',
      said: 'ready',
    });
    expect(codex.turns[0]).toMatchObject({ tools: [], native: [], mayAsk: false });
    expect(await disk.list(HOME)).not.toContain('trial');
  });
  test('of a backend that never answers is given up, and says so', async () => {
    const silent = new ScriptedBackend([[gate(new Promise(() => undefined))]], { name: 'codex' });
    const { clock, disk, models } = modelsIn({}, [silent]);
    const trial = models.trial('codex');
    while (silent.turns.length === 0) await new Promise(resolve => setImmediate(resolve));
    clock.advance(120_000);
    expect(await trial).toMatchObject({ ok: false, code: 'quiet' });
    expect(await disk.list(HOME)).not.toContain('trial');
  });
  test('says what is missing', async () => {
    const { models } = modelsIn({});
    expect(await models.trial('claude-code')).toMatchObject({ ok: false, code: 'missing' });
    expect(await models.trial('anthropic/claude-sonnet-5')).toMatchObject({ ok: false, code: 'missing' });
    expect(await models.trial('auto')).toMatchObject({ ok: true, provider: 'rehearsal' });
  });
});
