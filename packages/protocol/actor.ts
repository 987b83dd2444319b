import { z } from 'zod';

/** Who did something, and through which surface. */
export const Actor = z.object({
  kind: z.enum(['person', 'caller', 'policy', 'bot', 'service']),
  name: z.string().max(200),
  surface: z.string().max(64),
});
export type Actor = z.infer<typeof Actor>;
