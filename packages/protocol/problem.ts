import { z } from 'zod';
import { ConversationView } from './view.ts';

/** `application/problem+json` (RFC 9457) with a stable `code`, one clear sentence, and the state where there is one. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  view: ConversationView.exactOptional(),
});
export type Problem = z.infer<typeof Problem>;
