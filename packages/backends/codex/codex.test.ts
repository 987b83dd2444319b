import { describe, expect, test } from 'vitest';
import { codexFailure } from './failure.ts';
import { argumentsOf, nativeNames, programEnvironment } from './launch.ts';
import { personsConfig } from './persons-config.ts';
import { strictSchema } from './strict-schema.ts';
import { TurnError } from './wire.ts';

/* What can be said of Codex without it: how it is started, and what its errors mean. The rest is tests/agents. */

describe('a failure', () => {
  const of = (error: object, began = false) =>
    codexFailure(TurnError.parse(error), { model: 'gpt-fake', began, now: 0 });

  test.each([
    [{ message: 'no', codexErrorInfo: 'unauthorized' }, 'auth'],
    [{ message: 'no', codexErrorInfo: 'usageLimitExceeded' }, 'quota'],
    [{ message: 'no', codexErrorInfo: 'serverOverloaded' }, 'overloaded'],
    [{ message: 'no', codexErrorInfo: 'contextWindowExceeded' }, 'context_length'],
    [{ message: 'no', codexErrorInfo: { responseTooManyFailedAttempts: { httpStatusCode: 429 } } }, 'quota'],
    [{ message: 'no', codexErrorInfo: { httpConnectionFailed: { httpStatusCode: null } } }, 'protocol'],
    [{ message: 'error sending request for url', codexErrorInfo: 'other' }, 'network'],
    [{ message: 'unexpected status 404 Not Found', codexErrorInfo: null }, 'missing'],
    [{ message: '{"error":{"message":"prompt is too long"}}', codexErrorInfo: 'other' }, 'context_length'],
  ] as const)('%j is %s', (error, code) => {
    expect(of(error).code).toBe(code);
  });

  test('a stream that ends without an answer is another protocol, unless words had come', () => {
    const ended = {
      message: 'stream disconnected before completion: stream closed before response.completed',
      codexErrorInfo: 'other',
    };
    expect(of(ended).code).toBe('protocol');
    expect(of(ended, true).code).toBe('network');
  });

  test('that the account is used up lasts until somebody mends it', () => {
    expect(of({ codexErrorInfo: 'usageLimitExceeded' })).toMatchObject({ lasting: true });
  });
});

describe('the start', () => {
  const served = { address: 'http://127.0.0.1:1/' };

  test('shows none of the tools that the node does not name, and holds no secret', () => {
    const words = argumentsOf([], served).join(' ');
    for (const feature of ['shell_tool', 'unified_exec', 'view_image', 'multi_agent', 'plugins'])
      expect(words).toContain(`--disable ${feature}`);
    expect(words).toContain('web_search="disabled"');
    expect(words).not.toContain('secret');
    expect(argumentsOf(['shell'], served).join(' ')).not.toContain('--disable shell_tool');
  });

  test('knows its own tools by their names and by those of other sources, and no others', () => {
    expect(nativeNames({ native: ['exec_command', 'shell', 'read_file', 'toString'] })).toEqual(['shell']);
  });

  test('is given the keys that the person’s provider needs, and no other', () => {
    const env = { FAKE_KEY: 'k', OTHER_KEY: 'o', HTTPS_PROXY: 'http://proxy' };
    expect(programEnvironment(env, '/home', ['FAKE_KEY'], { secret: 's' })).toEqual({
      FAKE_KEY: 'k',
      HTTPS_PROXY: 'http://proxy',
      CODEX_HOME: '/home',
      TMPDIR: '/home/temporary',
      HEARTH_TOOLS_SECRET: 's',
    });
  });
});

test('of the person’s configuration only what leads to their provider takes part', () => {
  const config = {
    model: 'm',
    model_provider: 'own',
    model_providers: {
      own: { base_url: 'http://x', env_key: 'A', query_params: null, env_http_headers: { h: 'B' } },
    },
    mcp_servers: { theirs: { command: 'x' } },
    developer_instructions: 'Always sing.',
  };
  expect(personsConfig({ config })).toEqual({
    model: 'm',
    provider: 'own',
    keys: ['A', 'B'],
    settings: {
      'model_providers.own': {
        base_url: 'http://x',
        env_key: 'A',
        env_http_headers: { h: 'B' },
        request_max_retries: 0,
        stream_max_retries: 0,
      },
    },
  });
  expect(personsConfig('nonsense')).toEqual({ model: null, provider: null, keys: [], settings: {} });
});

test('a form in the strict dialect requires everything, and asks for what may be anything as text', () => {
  expect(
    strictSchema({
      type: 'object',
      properties: {
        reply: { type: 'string', description: 'Words.' },
        kind: { type: 'string', enum: ['a', 'b'] },
        ids: { type: 'array', items: { type: 'string' } },
        any: {},
        list: { type: 'array' },
        map: { type: 'object' },
      },
      required: ['reply'],
    }),
  ).toEqual({
    type: 'object',
    properties: {
      reply: { type: 'string', description: 'Words.' },
      kind: { type: 'string', enum: ['a', 'b'] },
      ids: { type: 'array', items: { type: 'string' } },
      any: { type: ['string', 'null'], description: 'Any JSON value, written as text.' },
      list: {
        type: 'array',
        items: { type: ['string', 'null'], description: 'Any JSON value, written as text.' },
      },
      map: { type: ['string', 'null'], description: 'Any JSON value, written as text.' },
    },
    required: ['reply', 'kind', 'ids', 'any', 'list', 'map'],
    additionalProperties: false,
  });
});
