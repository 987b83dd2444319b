import { z } from 'zod';

/** What a service that was started in the background tells its starter, once. */
export const StartMessage = z.discriminatedUnion('is', [
  z.object({ is: z.literal('ready'), address: z.string() }),
  z.object({ is: z.literal('failed'), code: z.string(), message: z.string() }),
]);
export type StartMessage = z.infer<typeof StartMessage>;
