import { z } from 'zod';
import { Actor } from './actor.ts';
import { ConversationId, Instant } from './ids.ts';
import { Scope } from './scope.ts';

/** A conversation that was closed or removed and can still be restored. */
export const TrashEntry = z.object({
  /** Its name in the trash. */
  name: z.string(),
  conversation: ConversationId,
  title: z.string(),
  bot: z.string(),
  scope: Scope,
  /** When it was put there. */
  at: Instant,
  by: Actor,
  /** One sentence, when it was not a person who closed it. */
  why: z.string().nullable(),
  /** When it is removed for good, if nothing crowds it out before. */
  until: Instant,
  bytes: z.int().nonnegative(),
});
export type TrashEntry = z.infer<typeof TrashEntry>;

/** GET `/trash`, the latest first. */
export const TrashList = z.object({ trash: z.array(TrashEntry) });
export type TrashList = z.infer<typeof TrashList>;
