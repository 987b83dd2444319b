import { describe, expect, test } from 'vitest';
import { PROVIDERS, publicAddress, wishOf } from './providers.ts';

describe('what a model name asks for', () => {
  test.each<[string, string | null, string | null, string[]]>([
    ['auto', null, null, ['anthropic', 'openai', 'compatible', 'ollama']],
    ['', null, null, ['anthropic', 'openai', 'compatible', 'ollama']],
    ['auto', 'openai', null, ['openai']],
    ['anthropic/claude-opus-4-5', null, 'claude-opus-4-5', ['anthropic']],
    ['anthropic/auto', null, null, ['anthropic']],
    ['ollama/llama3:8b', null, 'llama3:8b', ['ollama']],
    ['compatible/meta/llama-3', null, 'meta/llama-3', ['compatible']],
    ['claude-sonnet-4-5', null, 'claude-sonnet-4-5', ['anthropic', 'compatible']],
    ['gpt-5.1', null, 'gpt-5.1', ['openai', 'compatible']],
    ['o3', null, 'o3', ['openai', 'compatible']],
    ['meta/llama-3', null, 'meta/llama-3', ['compatible', 'ollama']],
    ['qwen', 'ollama', 'qwen', ['ollama']],
    ['ollama/qwen', 'ollama', 'qwen', ['ollama']],
    ['gpt-5.1', 'bedrock', 'gpt-5.1', ['openai', 'compatible']],
  ])('%j with %j', (name, provider, model, providers) => {
    expect(wishOf(name, provider)).toEqual({ model, providers });
  });
});

describe('where a provider is', () => {
  const address = (id: string, env: Record<string, string>) =>
    PROVIDERS.find(provider => provider.id === id)?.address(env);
  test.each<[string, Record<string, string>, string | null]>([
    ['anthropic', {}, null],
    ['anthropic', { ANTHROPIC_API_KEY: 'k' }, 'https://api.anthropic.com/v1'],
    [
      'anthropic',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/' },
      'http://127.0.0.1:1/v1',
    ],
    ['anthropic', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://h/x/v1' }, 'http://h/x/v1'],
    ['openai', { OPENAI_API_KEY: ' ' }, null],
    ['openai', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1'],
    ['compatible', { HEARTH_OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1/' }, 'http://127.0.0.1:8080/v1'],
    ['compatible', {}, null],
    ['ollama', {}, 'http://127.0.0.1:11434'],
    ['ollama', { OLLAMA_HOST: '0.0.0.0' }, 'http://127.0.0.1:11434'],
    ['ollama', { OLLAMA_HOST: ':8000' }, 'http://127.0.0.1:8000'],
    ['ollama', { OLLAMA_HOST: 'box:9000' }, 'http://box:9000'],
    ['ollama', { OLLAMA_HOST: 'https://box/ollama/' }, 'https://box/ollama'],
    ['ollama', { OLLAMA_HOST: 'http://[::]:7' }, 'http://127.0.0.1:7'],
  ])('%s with %j is %j', (id, env, expected) => {
    expect(address(id, env)).toBe(expected);
  });
});

test.each([
  ['http://user:secret@host:1/v1/?key=secret#secret', 'http://host:1/v1'],
  ['http://host', 'http://host'],
  ['no address', 'unknown'],
])('of %j only %j is shown', (address, shown) => {
  expect(publicAddress(address)).toBe(shown);
});
