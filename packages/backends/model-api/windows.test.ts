import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './detection.ts';
import { PROVIDERS, type ProviderId } from './providers.ts';
import { Windows, windowIn } from './windows.ts';

/* What is known of the sizes of contexts, from whoever says it. */

function endpoint(id: ProviderId, model: string): Endpoint {
  const provider = PROVIDERS.find(one => one.id === id)!;
  return { provider, model, address: 'http://127.0.0.1:1', key: null };
}

/** Windows on a network of one's own: what is answered to each path. */
function windows(pages: Record<string, unknown> = {}) {
  const clock = new SimClock();
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = input => {
    const path = new URL(input instanceof Request ? input.url : String(input)).pathname;
    asked.push(path);
    const page = pages[path];
    return Promise.resolve(page === undefined ? new Response('', { status: 404 }) : Response.json(page));
  };
  return { asked, clock, pages, windows: new Windows({ clock, fetch, disk: new SimDisk() }) };
}

describe('the words of a refusal', () => {
  test.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 8192],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    ['input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000, decrease it', 200_000],
    ['{"type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":4096}', 4096],
    ['the model is loaded with context length of only 32,768 tokens, which is not enough', 32_768],
    ['Requested tokens (2285) exceed context window of 2048', 2048],
    ['the request exceeds the available context size, try increasing it', null],
    ['maximum context length is 99999999999999999999 tokens', null],
    ['maximum context length is 0 tokens', null],
  ])('%s', (words, tokens) => {
    expect(windowIn(words)).toBe(tokens);
  });
});

test('Ollama: what the model is loaded with, else what it is configured with, else nothing', async () => {
  const one = windows({ '/api/ps': { models: [] }, '/api/show': { parameters: 'temperature 1' } });
  const phi = endpoint('ollama', 'phi');
  expect(await one.windows.of(phi)).toBeNull();
  one.pages['/api/show'] = { parameters: 'stop "<|end|>"\nnum_ctx                        8192' };
  expect(await one.windows.of(phi)).toBe(8192);
  one.pages['/api/ps'] = { models: [{ name: 'other' }, { name: 'phi:latest', context_length: 4096 }] };
  // What it said is kept for a while.
  expect(await one.windows.of(phi)).toBe(8192);
  one.clock.advance(30_000);
  expect(await one.windows.of(phi)).toBe(4096);
  expect(one.windows.known(endpoint('ollama', 'other'))).toBeNull();
});

test('a server that lists models may say it there; one that says nothing sensible is not believed', async () => {
  const data = [
    { id: 'a', max_model_len: 16_384 },
    { id: 'b', context_length: 32_768 },
    { id: 'c', max_model_len: -1 },
  ];
  const one = windows({ '/models': { data } });
  expect(await one.windows.of(endpoint('compatible', 'a'))).toBe(16_384);
  expect(await one.windows.of(endpoint('compatible', 'b'))).toBe(32_768);
  expect(await one.windows.of(endpoint('compatible', 'c'))).toBeNull();
  expect(await one.windows.of(endpoint('compatible', 'c'))).toBeNull();
  expect(one.asked).toHaveLength(3);
});

describe('a refusal', () => {
  const error = (message: string, statusCode = 400) => Object.assign(new Error(message), { statusCode });

  test('is remembered of that model alone, in its words or by what the provider had counted', () => {
    const one = windows().windows;
    const [small, other] = [endpoint('compatible', 'small'), endpoint('compatible', 'other')];
    one.refused(small, error('maximum context length is 8192 tokens'), null);
    expect([one.known(small), one.known(other)]).toEqual([8192, null]);
    one.refused(other, error('too many tokens'), 6000);
    expect(one.known(other)).toBe(6000);
    // A longer request was answered, so the server holds more by now.
    one.answered(other, 7000);
    expect(one.known(other)).toBeNull();
  });

  test('makes a published size smaller and never larger, and says nothing when it is about bytes', () => {
    const one = windows().windows;
    const sonnet = endpoint('anthropic', 'claude-sonnet-5');
    one.refused(sonnet, error('Request too large', 413), 5000);
    expect(one.known(sonnet)).toBe(1_000_000);
    one.refused(sonnet, error('prompt is too long: 210000 tokens > 200000 maximum'), null);
    expect(one.known(sonnet)).toBe(200_000);
    one.refused(sonnet, error('prompt is too long: 3 tokens > 2000000 maximum'), null);
    expect(one.known(sonnet)).toBe(1_000_000);
  });
});
