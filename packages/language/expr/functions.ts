import { byteLength } from '../bytes.ts';
import type { Profile } from '../lex/profile.ts';
import type { Value } from '../value.ts';
import { ExprError } from './error.ts';
import { LATER_FUNCTIONS } from './later-functions.ts';
import { list } from './lists.ts';
import { type ExprFunction, MANY } from './signature.ts';
import { printed, typeName } from './values.ts';

/** All functions. Wrong types are errors when the expression is evaluated. */
export const FUNCTIONS: Readonly<Record<string, ExprFunction>> = {
  length: { least: 1, most: 1, since: 1, apply: ([of = null]) => length(of) },
  concat: { least: 1, most: MANY, since: 1, apply: lists => lists.flatMap(one => list('concat', one)) },
  unique: { least: 1, most: 1, since: 1, apply: ([of = null]) => unique(list('unique', of)) },
  contains: {
    least: 2,
    most: 2,
    since: 1,
    apply: ([of = null, value = null]) => contains(list('contains', of), value),
  },
  join: { least: 2, most: 2, since: 1, apply: ([of = null, by = null]) => join(list('join', of), by) },
  if: { least: 3, most: 3, since: 1, apply: null },
  ...LATER_FUNCTIONS,
};

/** How many values each function with a lambda gives to it. */
export const LAMBDA_PARAMS: Readonly<Record<string, number>> = { map: 1, filter: 1, reduce: 2 };

const NAMES = Object.keys(FUNCTIONS);
const NAMES_OF: Readonly<Record<Profile, readonly string[]>> = {
  1: NAMES.filter(name => FUNCTIONS[name]?.since === 1),
  2: NAMES,
};

/** The functions that a source of a profile may call. */
export function functionsOf(profile: Profile): readonly string[] {
  return NAMES_OF[profile];
}

/** Why a function cannot take that many arguments; null when it can. */
export function arityProblem(name: string, count: number): string | null {
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (known === undefined) return `unknown function \`${name}\``;
  const { least, most } = known;
  if (count >= least && count <= most) return null;
  const wanted = least === most ? `${least}` : most === MANY ? `at least ${least}` : `${least} to ${most}`;
  const plural = most === 1 || (most === MANY && least === 1) ? '' : 's';
  return `\`${name}\` takes ${wanted} argument${plural}, not ${count}`;
}

function length(value: Value): number {
  if (value === null) return 0;
  if (typeof value === 'string') return byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object') return Object.keys(value).length;
  throw new ExprError(`\`length\` takes a list, a map or a string, not ${typeName(value)}`);
}

function contains(values: readonly Value[], value: Value): boolean {
  const wanted = printed(value);
  return values.some(one => printed(one) === wanted);
}

function unique(values: readonly Value[]): Value[] {
  const seen = new Set<string>();
  return values.filter(value => seen.size < seen.add(printed(value)).size);
}

function join(values: readonly Value[], separator: Value): string {
  if (typeof separator !== 'string')
    throw new ExprError(`\`join\` takes a separator, not ${typeName(separator)}`);
  return values.map(printed).join(separator);
}
