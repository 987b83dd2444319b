import { describe, expect, test } from 'vitest';
import { endOf, repeats } from './ending.ts';
import { failureOf } from './failure.ts';
import type { ResultLine } from './wire.ts';

const result = (more: Partial<ResultLine> = {}): ResultLine => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  usage: null,
  ...more,
});
const OUTPUT = {
  type: 'object',
  properties: { reply: { type: 'string' }, close: { type: 'boolean' } },
  required: ['reply', 'close'],
};
const FIRST = { byItself: 0, byHost: 0, spent: false };
const turn = { output: OUTPUT, maxSteps: 5 };

describe('a result', () => {
  test('of the form that was asked for ends the turn, whichever way it came', () => {
    const fits = { reply: 'Done.', close: false };
    const end = { is: 'end', event: { type: 'done', output: fits, text: 'Done.' } };
    expect(endOf(turn, result({ structured_output: fits }), FIRST)).toEqual(end);
    expect(endOf(turn, result({ result: `Here: ${JSON.stringify(fits)}` }), FIRST)).toEqual(end);
    expect(endOf(turn, result({ structured_output: { reply: 'Done.', close: 'false' } }), FIRST)).toEqual(
      end,
    );
  });
  test('without a form is its text', () => {
    expect(endOf({ ...turn, output: null }, result({ result: 'Hello.' }), FIRST)).toMatchObject({
      event: { output: { text: 'Hello.' }, text: 'Hello.' },
    });
  });
  test('of another form is asked for again, and no more than twice in all', () => {
    const text = result({ result: 'Hello.' });
    expect(endOf(turn, text, FIRST)).toMatchObject({ is: 'again', why: 'form' });
    expect(endOf(turn, text, { ...FIRST, byHost: 1 })).toMatchObject({ is: 'again' });
    expect(endOf(turn, text, { ...FIRST, byHost: 2 })).toMatchObject({ failure: { code: 'schema' } });
    expect(endOf(turn, text, { ...FIRST, byItself: 1 })).toMatchObject({ failure: { code: 'schema' } });
  });
  test('of a turn that used up its steps ends it once it was told so', () => {
    const spent = result({ subtype: 'error_max_turns', is_error: true });
    expect(endOf(turn, spent, FIRST)).toMatchObject({ is: 'again', why: 'steps', text: /5 steps/ });
    expect(endOf(turn, spent, { ...FIRST, spent: true })).toMatchObject({ failure: { code: 'schema' } });
  });
});

test.each<[string, Partial<ResultLine>]>([
  ['auth', { api_error_status: 401 }],
  ['auth', { api_error_status: 403 }],
  ['auth', { result: 'Not logged in · Please run /login' }],
  ['quota', { api_error_status: 429 }],
  ['quota', { result: "You've hit your weekly limit · resets 3pm" }],
  ['quota', { api_error_status: 400, result: 'Credit balance is too low' }],
  ['overloaded', { api_error_status: 529 }],
  ['overloaded', { api_error_status: 500 }],
  ['missing', { api_error_status: 404, result: 'There is an issue with the selected model' }],
  ['context_length', { api_error_status: 400, terminal_reason: 'prompt_too_long' }],
  ['protocol', { api_error_status: 400, result: 'API Error: 400 bad thing' }],
  ['network', { api_error: 'connection_failed' }],
  ['network', { result: 'API Error: Unable to connect to API (ENOTFOUND)' }],
  ['session_lost', { errors: ['No conversation found with session ID: x'] }],
  ['schema', { subtype: 'error_max_structured_output_retries' }],
  ['protocol', { result: 'API Error: API returned an empty or malformed response (HTTP 200)' }],
  ['protocol', {}],
])('an error is told as %s: %j', (code, more) => {
  const failure = failureOf(result({ is_error: true, ...more }));
  expect(failure.code).toBe(code);
  expect(failure.message).toMatch(/^[A-Z][^\n]{20,300}\.$/);
});

test('words beside an answer are told apart from the answer', () => {
  expect(repeats('It is done.', ' It  is\ndone. ')).toBe(true);
  expect(repeats('It is done.', 'I look first.')).toBe(false);
});
