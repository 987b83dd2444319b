/* What a provider on loopback says of its models: as Ollama does, and as any server that speaks OpenAI's API. */

/** What is told of every model; what is absent is not told. */
export interface FakeFacts {
  /** Tokens of the context with which Ollama has the models loaded; absent: they are not. */
  readonly loaded?: number;
  /** Parameters of the models as Ollama shows them: `num_ctx 8192`. */
  readonly parameters?: string;
  /** Tokens of the context, told where the models are listed. */
  readonly listed?: number;
  /** What the models can, as Ollama shows it. */
  readonly capabilities?: readonly string[];
}

/** The answer to a question for models; `null` when there is no such page. */
export function listing(path: string, models: readonly string[], { loaded, listed }: FakeFacts): unknown {
  if (path === '/api/tags') return { models: models.map(name => ({ name, model: name })) };
  if (path === '/api/ps') {
    return { models: loaded === undefined ? [] : models.map(name => ({ name, context_length: loaded })) };
  }
  if (!path.endsWith('/models')) return null;
  const more = listed === undefined ? {} : { max_model_len: listed };
  return { data: models.map(id => ({ id, object: 'model', ...more })) };
}

/** What Ollama shows of a model. */
export function shown({ parameters = 'temperature 0.7', capabilities = ['completion', 'tools'] }: FakeFacts) {
  return { parameters, capabilities };
}
