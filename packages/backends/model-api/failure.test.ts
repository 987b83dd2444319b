import { describe, expect, test } from 'vitest';
import { CutStream, failureOf, Silence } from './failure.ts';

const NOW = Date.UTC(2026, 0, 1);
const of = (error: unknown) =>
  failureOf(error, { who: 'Anthropic', model: 'big', key: 'hunter-2', now: NOW });

/** An error as the SDK makes it of a response; it holds what was asked too. */
function answered(statusCode: number, message = '', responseHeaders: Record<string, string> = {}): Error {
  const requestBodyValues = { messages: ['insufficient_quota, socket, overloaded, context_length_exceeded'] };
  return Object.assign(new Error(message), {
    statusCode,
    responseHeaders,
    responseBody: message,
    requestBodyValues,
  });
}

describe('what an error means', () => {
  test.each<[string, unknown, string]>([
    ['what was asked does not matter', answered(401), 'auth'],
    ['a refused request', answered(422, 'temperature is wrong'), 'protocol'],
    ['wrapped by a retry', Object.assign(new Error('gave up'), { lastError: answered(503) }), 'overloaded'],
    ['a silence inside an abort', new Error('aborted', { cause: new Silence('quiet') }), 'quiet'],
    ['a cut stream', new CutStream(), 'network'],
    ['told in a stream', { type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
    [
      'told in a stream, nested',
      { type: 'error', error: { type: 'rate_limit_error', message: 'no' } },
      'quota',
    ],
    [
      'a refused connection',
      new Error('x', { cause: Object.assign(new Error('y'), { code: 'ECONNREFUSED' }) }),
      'network',
    ],
    ['a broken fetch', new TypeError('terminated'), 'network'],
    ['anything', 'what?', 'protocol'],
    ['nothing', undefined, 'protocol'],
  ])('%s', (_, error, code) => {
    expect(of(error).code).toBe(code);
  });
});

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '12' }, 12_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': new Date(NOW + 90_000).toUTCString() }, 90_000],
  [{ 'retry-after': new Date(NOW - 90_000).toUTCString() }, 0],
  [{ 'retry-after': ' 12 ' }, 12_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '30, 60' }, undefined],
  [{ 'retry-after': '1.2.3' }, undefined],
  [{ 'retry-after': 'Infinity' }, undefined],
  [{ 'retry-after': '1e308' }, undefined],
  [{ 'retry-after': '9'.repeat(400) }, undefined],
  [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, undefined],
  [{}, undefined],
])('%j asks to wait %j', (headers, ms) => {
  expect(of(answered(429, '', headers)).retryAfterMs).toBe(ms);
});

test('a quotation holds no key, and is one short line', () => {
  const { message } = of(answered(400, `bad\nkey hunter-2 or sk-abc123 or key-xyz ${'x'.repeat(500)}`));
  expect(message).toMatch(/^Anthropic refuses the request for big: bad key … or … or … x+\.$/);
  expect(message.length).toBeLessThan(260);
});

test.each(['Bearer abc.def', 'gsk_abcdefgh12345678', 'AKIAIOSFODNN7EXAMPLE', '\u001b\u202e'])(
  'a quotation holds nothing like %j',
  words => {
    const { message } = of(answered(400, `no ${words} here, max_completion_tokens is wrong`));
    expect(message).toMatch(/: no …? ?here, max_completion_tokens is wrong\.$/);
  },
);
