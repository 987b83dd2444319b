import { join } from 'node:path';
import { typed } from '@hearth/cli/testing/typed.ts';
import { KeptRule } from '@hearth/protocol/view.ts';
import { ModelList, ModelTrial } from '@hearth/protocol/models.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { calls, FakeProvider, replies, says, status } from '../support/fake-provider.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';
import { writerBundle } from '../support/writer.ts';

/* `hearth model` and `hearth rules`, typed, with a real service and a provider on this machine. */

let provider: FakeProvider;
let project = '';
let env: NodeJS.ProcessEnv = {};
const hearth = (...words: string[]) => typed(words, project, '', env);
const list = async (): Promise<ModelList> =>
  ModelList.parse(JSON.parse((await hearth('model', '--json')).out));

beforeAll(async () => {
  provider = await FakeProvider.start();
  project = makeProject();
  const { HEARTH_MODEL: _m, HEARTH_BACKEND: _b, ...inherited } = process.env;
  env = {
    ...inherited,
    PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`,
    HEARTH_HOME: join(tempDirectory('model'), 'home'),
    OLLAMA_HOST: 'http://127.0.0.1:9',
    ...provider.env('anthropic', 'sk-fake-0123456789'),
  };
  delete env['HEARTH_MODEL'];
});
afterAll(async () => {
  await hearth('stop', '--now');
  await provider.close();
  removeTemps();
});

describe('hearth model', () => {
  test('lists all five backends with what was found and why, and no key', async () => {
    const ran = await hearth('model');
    expect(ran.code).toBe(0);
    for (const name of ['claude-code', 'codex', 'acp', 'model-api', 'rehearsal'])
      expect(ran.out).toMatch(new RegExp(`^[* ] ${name} +(?:not )?there.*: .+$`, 'm'));
    expect(ran.out).toMatch(/^\* model-api/m);
    expect(ran.out).toContain('model-api was chosen: ');
    const { backends, chosen } = await list();
    expect(backends.map(({ name, chosen: is }) => [name, is])).toEqual([
      ['claude-code', false],
      ['codex', false],
      ['acp', false],
      ['model-api', true],
      ['rehearsal', false],
    ]);
    expect(backends.every(({ reason, why }) => reason !== '' && why !== '')).toBe(true);
    expect(chosen.name).toBe('model-api');
    expect(JSON.stringify(backends) + ran.out).not.toContain('sk-fake-0123456789');
  });

  test('tests a connection, and says what is wrong with one, with the exit code of the surroundings', async () => {
    provider.plays(says('ready'));
    expect(await hearth('model', 'test')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: ready\n$/) as string,
    });
    expect((await hearth('model', 'test', 'rehearsal')).code).toBe(0);
    provider.plays(status(401, {}));
    const refused = await hearth('model', 'test');
    expect([refused.code, refused.out]).toEqual([4, '']);
    expect(refused.err).toMatch(/^hearth: .*key.* \(auth\)\n$/);
    const json = await hearth('model', 'test', 'codex', '--json');
    expect(ModelTrial.parse(JSON.parse(json.out))).toMatchObject({ ok: false, code: 'missing' });
    expect(json.code).toBe(4);
  });

  test('sets what bots get: all, one, a conversation; "auto" leaves it open again', async () => {
    const [c, other] = [
      (await hearth('new', '--bot', 'hello')).out.trim(),
      (await hearth('new', '--bot', 'whats-next')).out.trim(),
    ];
    expect((await hearth('model', 'use', 'rehearsal')).out).toMatch(/^\* rehearsal/m);
    expect((await list()).default).toEqual({ model: 'rehearsal', by: 'settings' });
    await hearth('model', 'use', 'anthropic/claude-sonnet-5', '--bot', 'hello');
    expect((await list()).bots).toEqual({ hello: 'anthropic/claude-sonnet-5' });
    provider.plays(replies('I am a model.'));
    expect((await hearth('send', 'hello', '-c', c)).out).toContain('I am a model.');
    expect((await hearth('send', 'hello', '-c', other)).out).toContain('Rehearsal');

    const used = await hearth('model', 'use', 'rehearsal', '--conversation', c);
    expect(used.out).toBe(`${c} works with rehearsal from the next turn on.\n`);
    const said = provider.requests.length;
    await hearth('send', 'hello again', '-c', c);
    expect(provider.requests).toHaveLength(said);

    await hearth('model', 'use', 'auto', '--conversation', c);
    await hearth('model', 'use', 'auto', '--bot', 'hello');
    await hearth('model', 'use', 'auto');
    expect(await list()).toMatchObject({
      bots: {},
      default: { model: 'auto' },
      chosen: { name: 'model-api' },
    });
    expect((await hearth('model', 'use', 'x', '--bot', 'hello', '-c', c)).code).toBe(64);
    expect((await hearth('model', 'use', ' ')).code).toBe(64);
  });
});

describe('hearth rules', () => {
  let c = '';
  const Listed = z.object({ rules: z.array(KeptRule) });
  const rules = async () =>
    Listed.parse(JSON.parse((await hearth('rules', 'list', '-c', c, '--json')).out)).rules;
  const write = (path: string) => calls([{ name: 'write_file', args: { path, content: 'x' } }]);

  beforeEach(async () => {
    c ||= (await hearth('new', '--bot', writerBundle(), '--workspace', project)).out.trim();
  });

  test('lists what was allowed and denied for good, and takes it back', async () => {
    expect(await hearth('rules', 'list', '-c', c)).toMatchObject({
      code: 0,
      out: 'Nothing is allowed or denied for good here.\n',
    });
    provider.plays(write('a.txt'));
    const asked = await hearth('send', 'write', '-c', c);
    expect(asked.code).toBe(3);
    const pause = /\bp\d+\b/.exec(asked.out)?.[0] ?? '';
    provider.plays(replies('Done.'));
    const grant = ['--grant', 'always', '--rule', 'Write(*.txt)', '-c', c];
    expect((await hearth('answer', pause, ...grant)).out).toContain('Done.');
    expect(await rules()).toMatchObject([{ rule: 'Write(*.txt)', grant: 'always' }]);
    expect((await hearth('rules', 'list', '-c', c)).out).toMatch(
      /^allowed {2}Write\(\*\.txt\) {2}\(by .+, \d{4}-/,
    );

    provider.plays(write('b.txt'), replies('Written.'));
    expect(await hearth('send', 'write', '-c', c)).toMatchObject({ code: 0 });

    expect(await hearth('rules', 'revoke', 'Write(*.txt)', '-c', c)).toMatchObject({
      code: 0,
      out: 'Write(*.txt) holds no longer; you are asked again.\n',
    });
    expect(await rules()).toEqual([]);
    const again = await hearth('rules', 'revoke', 'Write(*.txt)', '-c', c);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toMatch(/^hearth: .*Write\(\*\.txt\).*\n$/);
    provider.plays(write('c.txt'));
    expect((await hearth('send', 'write', '-c', c)).code).toBe(3);
  });
});
