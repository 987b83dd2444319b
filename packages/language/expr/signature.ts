import type { Profile } from '../lex/profile.ts';
import type { Value } from '../value.ts';
import type { Operand } from './integers.ts';

/** A function over evaluated arguments. */
export interface ExprFunction {
  readonly least: number;
  readonly most: number;
  /** The profile that brings it. */
  readonly since: Profile;
  /** Null for a function that evaluates its arguments itself: `if` only the arm it chooses, others their lambda. */
  readonly apply: ((args: readonly Value[]) => Operand) | null;
}

/** Any number of arguments. */
export const MANY = Number.POSITIVE_INFINITY;
