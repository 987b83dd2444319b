import type { LanguageModel } from 'ai';
import type { Endpoint } from './detection.ts';

/** Makes an endpoint's model. The SDK is loaded here, when a model is first asked, so that starting costs nothing. */
export async function languageModel(
  { provider, address, key, model }: Endpoint,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  switch (provider.id) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: address, apiKey: key ?? '', fetch })(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL: address, apiKey: key ?? '', fetch }).responses(model);
    }
    case 'ollama':
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const baseURL = provider.id === 'ollama' ? `${address}/v1` : address;
      const secret = key === null ? {} : { apiKey: key };
      return createOpenAICompatible({
        name: provider.id,
        baseURL,
        fetch,
        includeUsage: true,
        ...secret,
      }).chatModel(model);
    }
  }
}
