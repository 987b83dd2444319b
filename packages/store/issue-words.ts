import type { z } from 'zod';

/*
 * What is wrong with a value that does not fit its schema, in words for whoever sent it: the field, what it must be.
 */

type Issue = z.core.$ZodIssue;

/** What a value of a type is called. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** How sizes are counted. */
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' };

const WORDS: { readonly [K in Issue['code']]?: (issue: Extract<Issue, { code: K }>) => string } = {
  // An issue does not carry the value, lest it be shown; only its message says that there was none.
  invalid_type: ({ expected, message }) =>
    message.endsWith('received undefined') ? 'is missing' : `must be ${TYPES[expected] ?? expected}`,
  too_small: ({ origin, minimum }) => {
    const unit = UNITS[origin];
    if (unit === undefined) return `must be ${minimum} or more`;
    return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${minimum} ${unit}`;
  },
  too_big: ({ origin, maximum }) => {
    const unit = UNITS[origin];
    return unit === undefined ? `must be ${maximum} or less` : `must have at most ${maximum} ${unit}`;
  },
  invalid_value: ({ values }) => `must be ${values.map(value => JSON.stringify(value)).join(' or ')}`,
  unrecognized_keys: ({ keys }) => `has fields that nobody knows: ${keys.join(', ')}`,
  invalid_format: () => 'has not the form that is needed',
  invalid_union: () => 'is none of the forms that are possible here',
};

/** What is wrong, as in `must not be empty`. */
export function wordsOf(issue: Issue): string {
  // The row of a code takes the issue of that code.
  const words = WORDS[issue.code] as ((issue: Issue) => string) | undefined;
  return words?.(issue) ?? `is not as it should be: ${issue.message.toLowerCase()}`;
}
