import { z } from 'zod';
import { Actor } from './actor.ts';
import { CommandId, Digest, PauseId } from './ids.ts';
import { Json } from './json.ts';

/** What a decision does to the pause it names. */
export const Act = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('answer'),
    option: z.string().exactOptional(),
    text: z.string().exactOptional(),
    fields: z.record(z.string(), Json).exactOptional(),
  }),
  z.object({ do: z.literal('act'), action: z.string(), feedback: z.string().exactOptional() }),
  z.object({
    do: z.literal('permit'),
    grant: z.enum(['once', 'always', 'deny']),
    rule: z.string().exactOptional(),
  }),
  z.object({ do: z.literal('say'), text: z.string() }),
  z.object({ do: z.literal('cancel') }),
]);
export type Act = z.infer<typeof Act>;

/**
 * The command that answers one pause. `artifact` and `version` are required where a card is answered; `digest` is
 * optional and must match when sent.
 */
export const Decision = z.object({
  commandId: CommandId,
  pause: PauseId,
  artifact: z.string().exactOptional(),
  version: z.int().positive().exactOptional(),
  digest: Digest.exactOptional(),
  act: Act,
  actor: Actor,
});
export type Decision = z.infer<typeof Decision>;
