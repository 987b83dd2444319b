import { z } from 'zod';

/** The four things a budget can bound: active milliseconds, US dollars, tokens, node executions. */
export const Axis = z.enum(['duration', 'cost', 'tokens', 'iterations']);
export type Axis = z.infer<typeof Axis>;

/** `burst` starts at zero when the run leaves its last blocking pause; `lifetime` belongs to the epoch and is never refilled. */
export const LedgerName = z.enum(['burst', 'lifetime']);
export type LedgerName = z.infer<typeof LedgerName>;

/** What was used. `null` and `unpriced` (a count of unpriced steps) say that a figure is unknown; unknown is not zero. */
export const Spend = z.object({
  activeMs: z.number().nonnegative(),
  tokens: z.number().nonnegative().nullable(),
  costUsd: z.number().nonnegative().nullable(),
  iterations: z.int().nonnegative(),
  unpriced: z.int().nonnegative(),
});
export type Spend = z.infer<typeof Spend>;

/** Nothing used yet. */
export const NO_SPEND: Spend = { activeMs: 0, tokens: 0, costUsd: 0, iterations: 0, unpriced: 0 };
