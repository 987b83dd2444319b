import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '@hearth/engine/backend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OwnTools } from '../own-tools/own-tools.ts';
import { argumentsOf, initialize } from './arguments.ts';
import { boundaryFault } from './boundary.ts';
import { Detection, loginOf, signerOf } from './detection.ts';
import { programEnvironment } from './environment.ts';
import { forbiddenNames, nativeNames } from './tool-names.ts';

/* What the program is told, and how it is found. */

const root = mkdtempSync(join(tmpdir(), 'hearth-claude-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const host: Host = { call: () => Promise.resolve({ content: null }), permit: () => Promise.resolve('deny') };
const model = { model: 'anthropic/claude-x', provider: null, effort: 'high' };

describe('the environment of the program', () => {
  test('has what leads to the provider, and no other secret', () => {
    const env = programEnvironment(
      {
        HOME: '/home/ada',
        ANTHROPIC_API_KEY: 'key',
        AWS_SECRET_ACCESS_KEY: 'cloud',
        https_proxy: 'http://user:word@proxy:1',
        OPENAI_API_KEY: 'other',
        HEARTH_TOKEN: 'hearth',
        DATABASE_PASSWORD: 'word',
      },
      '/c/backend/nexie',
    );
    expect(env).toMatchObject({
      ANTHROPIC_API_KEY: 'key',
      AWS_SECRET_ACCESS_KEY: 'cloud',
      CLAUDE_CODE_MAX_RETRIES: '0',
    });
    expect(env['https_proxy']).toBe('http://user:word@proxy:1');
    expect(Object.keys(env).filter(name => /OPENAI|HEARTH|DATABASE/.test(name))).toEqual([]);
  });
  test('has its files in the conversation, and the login where the person has it', () => {
    const env = programEnvironment({}, '/c/backend/nexie');
    expect(env['CLAUDE_CONFIG_DIR']).toBe('/c/backend/nexie/claude-code');
    expect(env['CLAUDE_CODE_TMPDIR']).toMatch(/^\/c\/backend\/nexie\//);
    // Empty means the usual place, which the program knows best.
    expect(env['CLAUDE_SECURESTORAGE_CONFIG_DIR']).toBe('');
    const own = programEnvironment({ CLAUDE_CONFIG_DIR: '/home/ada/claude' }, '/c/backend/nexie');
    expect(own['CLAUDE_SECURESTORAGE_CONFIG_DIR']).toBe('/home/ada/claude');
  });
});

describe('its arguments', () => {
  const tools = new OwnTools(
    {
      tools: [{ name: 'list_issues', description: '', input: {}, mutates: false, origin: 'hearth' }],
      mayAsk: true,
    },
    host,
  );
  const after = (words: readonly string[], name: string): string | undefined =>
    words[words.indexOf(name) + 1];
  test('name what may be used and forbid the rest', () => {
    const native = nativeNames({ native: ['Bash', 'web_search', 'Bash', 'a b', 'mcp__x__y', '--model'] });
    expect(native).toEqual(['Bash', 'WebSearch']);
    const words = argumentsOf({ model, maxSteps: 7 }, tools, native, { session: 's1', fork: true }, [
      '/home/p/.hearth [1]',
    ]);
    expect(after(words, '--tools')).toBe('Bash,WebSearch');
    expect(after(words, '--allowedTools')).toBe('mcp__hearth__list_issues,mcp__hearth__ask_user');
    expect(after(words, '--disallowedTools')?.split(',')).toEqual(
      expect.arrayContaining(['Read', 'Write', 'Task']),
    );
    expect(forbiddenNames(native)).not.toContain('Bash');
    expect(after(words, '--model')).toBe('claude-x');
    expect(after(words, '--effort')).toBe('high');
    const place = String.raw`//home/p/.hearth \[1\]`;
    expect(JSON.parse(after(words, '--settings') ?? '')).toEqual({
      cleanupPeriodDays: 36_500,
      permissions: { deny: [place, `${place}/**`].flatMap(one => [`Read(${one})`, `Edit(${one})`]) },
    });
    expect(after(words, '--resume')).toBe('s1');
    expect(words).toEqual(expect.arrayContaining(['--fork-session', '--strict-mcp-config', '--restricted']));
    expect(after(argumentsOf({ model, maxSteps: 7 }, tools, [], null, []), '--tools')).toBe('');
  });
  test('hold no words and no schema: those go through its input', () => {
    const line = initialize({
      prompt: { system: 'You are Nexie.', user: 'x', attachments: [] },
      output: { type: 'object' },
    });
    expect(line['request']).toMatchObject({
      appendSystemPrompt: 'You are Nexie.',
      jsonSchema: { type: 'object' },
    });
  });
});

test('R13.24: what it shows its model is held against what the node may use', () => {
  const own = [{ name: 'list_issues' }];
  expect(boundaryFault(['Bash', 'mcp__hearth__list_issues', 'StructuredOutput'], own, ['Bash'])).toBeNull();
  expect(boundaryFault(['Bash', 'mcp__hearth__list_issues'], own, [])).toMatchObject({
    code: 'protocol',
    message: expect.stringContaining('Bash'),
  });
  expect(boundaryFault([], own, [])?.message).toContain('list_issues');
});

describe('it is found', () => {
  const bin = join(root, 'bin');
  const program = (version: string): void =>
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "${version}"\n`, { mode: 0o755 });
  const detect = async (env: Record<string, string> = {}) =>
    await new Detection({ PATH: `${bin}:/usr/bin:/bin`, HOME: root, ...env }, new SimClock()).detect();
  beforeAll(() => mkdirSync(bin));

  test('when it is there, new enough and logged in, and else says what is missing', async () => {
    expect(await detect()).toMatchObject({
      usable: false,
      why: expect.stringContaining('no program "claude"'),
    });
    program('2.0.99 (Claude Code)');
    expect(await detect({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      usable: false,
      why: expect.stringContaining('too old'),
    });
    program('something else');
    expect(await detect({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      usable: false,
      why: expect.stringContaining('does not say'),
    });
    program('2.1.328 (Claude Code)');
    if (process.platform !== 'darwin') {
      expect(await detect()).toMatchObject({
        usable: false,
        why: expect.stringContaining('not logged in'),
        version: '2.1.328',
      });
    }
    expect(await detect({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      usable: true,
      version: '2.1.328',
      path: join(bin, 'claude'),
    });
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, '.claude', '.credentials.json'), '{}');
    expect(await detect()).toMatchObject({ usable: true, why: expect.stringContaining('your own login') });
  });

  test('and its signer is told without a secret', () => {
    expect(signerOf({})).toBe('claude-code:login');
    expect(signerOf({ ANTHROPIC_API_KEY: 'k' })).toBe('claude-code:key');
    expect(signerOf({ ANTHROPIC_BASE_URL: 'https://ada:word@facade.example/api/' })).toBe(
      'claude-code:https://facade.example/api',
    );
    expect(signerOf({ CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: 'k' })).toBe('claude-code:bedrock');
    expect(loginOf({ CLAUDE_CODE_OAUTH_TOKEN: 't' })).toBe('a token of the environment');
  });
});
