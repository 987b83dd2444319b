import { z } from 'zod';
import { Actor } from './actor.ts';
import { ArtifactRef } from './artifact.ts';
import { Digest, Instant, PauseId } from './ids.ts';

/**
 * Something that changed nothing: a command that was refused or had been judged before, or what a model handed in too
 * late. Ids and digests only; what was accepted is told by the transcript.
 */
export const AuditLine = z.object({
  at: Instant,
  /** The id of the command; of what was discarded, that of the effect that handed it in. */
  commandId: z.string(),
  /** The kind of command, or `draft` for what a model handed in. */
  command: z.string(),
  by: Actor,
  /** A refusal's code, `replayed`, or `discarded`. */
  code: z.string(),
  pause: PauseId.exactOptional(),
  /** The action that was asked for. */
  action: z.string().exactOptional(),
  /** The version that the command named, as far as it named one. */
  shown: ArtifactRef.partial().exactOptional(),
  /** Over what was asked for or handed in. */
  payload: Digest.exactOptional(),
});
export type AuditLine = z.infer<typeof AuditLine>;

/** GET `…/audit`: the latest, oldest first. */
export const AuditPage = z.object({ lines: z.array(AuditLine) });
export type AuditPage = z.infer<typeof AuditPage>;
