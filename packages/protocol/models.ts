import { z } from 'zod';
import { Bare } from './command.ts';

/** How one provider of models stands. Holds no key; `address` is without user, password and query. */
export const ProviderReport = z.object({
  id: z.enum(['anthropic', 'openai', 'compatible', 'ollama']),
  title: z.string(),
  usable: z.boolean(),
  /** What configures it, or what to do. */
  why: z.string(),
  address: z.string().nullable(),
  /** Those that a local server lists; the default of a vendor. */
  models: z.array(z.string()),
});
export type ProviderReport = z.infer<typeof ProviderReport>;

/** The model of bots that leave it open, `auto` for any, and whether the environment or the home's settings say so. */
export const DefaultModel = z.object({ model: z.string(), by: z.enum(['environment', 'settings']) });
export type DefaultModel = z.infer<typeof DefaultModel>;

/** How a backend stands: whether it can be used here, and why it is or is not the one that open bots get. */
export const BackendReport = z.object({
  name: z.string(),
  title: z.string(),
  usable: z.boolean(),
  /** What was found, or what is missing. */
  why: z.string(),
  version: z.string().exactOptional(),
  chosen: z.boolean(),
  /** Why it was chosen, or not. */
  reason: z.string(),
});
export type BackendReport = z.infer<typeof BackendReport>;

/** What is known of a model. `null` is unknown, which is not nothing. */
export const KnownModel = z.object({
  provider: z.string(),
  model: z.string(),
  /** Tokens that fit into its context. */
  window: z.int().positive().nullable(),
  /** US dollars for a million tokens; of a long prompt some vendors want more. */
  price: z
    .object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
    .nullable(),
});
export type KnownModel = z.infer<typeof KnownModel>;

/** GET `/models`: the providers in order of preference, and the backend that bots get which leave it open, with why. */
export const ModelList = z.object({
  /** All that Hearth knows of, whether they are there or not. */
  backends: z.array(BackendReport),
  providers: z.array(ProviderReport),
  /** Sizes and prices: those of the vendors, then the models that servers list. */
  known: z.array(KnownModel),
  default: DefaultModel,
  /** What a person set for single bots. */
  bots: z.record(z.string(), z.string()),
  chosen: z.object({ name: z.string(), why: z.string() }),
});
export type ModelList = z.infer<typeof ModelList>;

/** The longest name of a model, in characters. */
const NAME = 200;

/** POST `/models/test`: which backend or model is asked; `auto` is the one that bots get which leave it open. */
export const TestModel = Bare.partial().extend({ model: z.string().max(NAME).default('auto') });
export type TestModel = z.infer<typeof TestModel>;

/** PUT `/models/default`: from the next turn on, and over a restart. `HEARTH_MODEL` goes before it. */
export const SetDefaultModel = Bare.extend({
  model: z.string().max(NAME),
  /** Of that bot alone, by its name or the path of its bundle. */
  bot: z.string().min(1).exactOptional(),
});
export type SetDefaultModel = z.infer<typeof SetDefaultModel>;

/** What came of asking a model for a word: what it said, or why not, by the code of a turn that fails so. */
export const ModelTrial = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), provider: z.string(), model: z.string(), said: z.string() }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
export type ModelTrial = z.infer<typeof ModelTrial>;
