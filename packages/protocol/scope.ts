import { z } from 'zod';

/** Where a conversation works: wherever its person is, or always in one directory. */
export const Scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global') }),
  z.object({ kind: z.literal('workspace'), path: z.string() }),
]);
export type Scope = z.infer<typeof Scope>;
