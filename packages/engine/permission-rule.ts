import type { Actor } from '@hearth/protocol/actor.ts';
import type { Instant } from '@hearth/protocol/ids.ts';

/** What a person allowed or denied for good: calls that fit the rule, in this conversation. */
export interface PermissionRule {
  readonly rule: string;
  readonly grant: 'always' | 'deny';
  readonly by: Actor;
  readonly at: Instant;
}

/** How many rules a conversation keeps. */
export const RULES_KEPT = 200;
