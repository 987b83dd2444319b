import { z } from 'zod';
import { PauseId } from './ids.ts';

/** What a conversation waits for: the first of its open pauses that is no home base, and the beginning of its words. */
export const WaitedFor = z.object({
  pause: PauseId,
  kind: z.enum(['question', 'card', 'input', 'permission', 'recovery']),
  /** At most 512 characters. */
  text: z.string(),
});
export type WaitedFor = z.infer<typeof WaitedFor>;

/** Whether a conversation rests, works, or waits for its person. */
export const Presence = z.discriminatedUnion('is', [
  z.object({ is: z.literal('idle') }),
  z.object({ is: z.literal('working') }),
  z.object({ is: z.literal('waiting_user'), what: WaitedFor }),
]);
export type Presence = z.infer<typeof Presence>;
