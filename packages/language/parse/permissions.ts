import { item, items } from './kinds.ts';
import { inProfile2 } from './properties.ts';

/** Profile 2: whether tools wait for a permission, and the rules for it. Which words are rules is checked later. */
export const permissions = {
  permission: inProfile2(item),
  allow: inProfile2(items),
  ask: inProfile2(items),
  deny: inProfile2(items),
} as const;
