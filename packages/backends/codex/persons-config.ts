import { JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * What of the person's own configuration leads to their provider. Nothing else of it takes part in a turn: its servers,
 * hooks, instructions and permissions are for the person's own sessions.
 */

const Provider = z.looseObject({
  env_key: z.string().nullish(),
  env_http_headers: z.record(z.string(), z.string()).nullish(),
});

const Config = z.looseObject({
  model: z.string().nullish(),
  model_provider: z.string().nullish(),
  model_providers: z.record(z.string(), z.json()).nullish(),
  openai_base_url: z.string().nullish(),
  chatgpt_base_url: z.string().nullish(),
});

/** What a turn takes over of the person's configuration. */
export interface PersonsConfig {
  /** The model of theirs; `null`: the program chooses. */
  readonly model: string | null;
  readonly provider: string | null;
  /** Settings that a thread is begun with. They may hold secrets: they go to the program through its input alone. */
  readonly settings: JsonObject;
  /** Variables that hold keys of the provider. */
  readonly keys: readonly string[];
}

/** Reads the program's answer to `config/read`. */
export function personsConfig(answer: unknown): PersonsConfig {
  const read = z.looseObject({ config: Config }).safeParse(answer).data?.config;
  const provider = read?.model_provider ?? null;
  const own = provider === null ? undefined : JsonObject.safeParse(read?.model_providers?.[provider]).data;
  const { env_key: key, env_http_headers: headers } = Provider.safeParse(own ?? {}).data ?? {};
  return {
    model: read?.model ?? null,
    provider,
    keys: [...(typeof key === 'string' ? [key] : []), ...Object.values(headers ?? {})],
    settings: {
      ...(own === undefined || provider === null
        ? {}
        : { [`model_providers.${provider}`]: { ...withoutNulls(own), ...ONCE } }),
      ...(read?.openai_base_url == null ? {} : { openai_base_url: read.openai_base_url }),
      ...(read?.chatgpt_base_url == null ? {} : { chatgpt_base_url: read.chatgpt_base_url }),
    },
  };
}

/** The engine tries again, and shows it. */
const ONCE: JsonObject = { request_max_retries: 0, stream_max_retries: 0 };

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
