import { z } from 'zod';
import type { Commit } from '@hearth/engine/commit.ts';

const Shape = z.looseObject({
  n: z.int().positive(),
  fence: z.int(),
  at: z.string(),
  entries: z.array(z.looseObject({ is: z.string(), at: z.string() })),
  events: z.array(z.looseObject({ seq: z.int().positive(), type: z.string() })),
  words: z.array(z.looseObject({ is: z.string(), seq: z.int().nonnegative() })),
});

/** A line of the journal. Its sum vouches for what is inside. */
export const CommitLine = z.custom<Commit & { readonly sum?: never }>(
  value => Shape.safeParse(value).success,
);
export type CommitLine = z.infer<typeof CommitLine>;
