import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueWords } from './issue-words.ts';

const words = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value);
  return error === undefined ? 'fits' : issueWords('The body', error);
};

test.each<[string, z.ZodType, unknown, string]>([
  [
    'empty',
    z.object({ title: z.string().min(1) }),
    { title: '' },
    `The body's field "title" must not be empty.`,
  ],
  [
    'missing',
    z.object({ ticket: z.object({ title: z.string() }) }),
    { ticket: {} },
    `The body's field "ticket.title" is missing.`,
  ],
  ['no text', z.object({ title: z.string() }), { title: 7 }, `The body's field "title" must be a text.`],
  ['no object', z.object({}), 'text', 'The body must be an object.'],
  ['too long', z.string().max(3), 'four', 'The body must have at most 3 characters.'],
  ['too short', z.string().min(3), 'no', 'The body must have at least 3 characters.'],
  ['too big', z.int().max(3), 4, 'The body must be 3 or less.'],
  ['too small', z.int().min(3), 2, 'The body must be 3 or more.'],
  ['another word', z.enum(['a', 'b']), 'c', 'The body must be "a" or "b".'],
  ['a stranger', z.strictObject({}), { x: 1 }, 'The body has fields that nobody knows: x.'],
  ['ill formed', z.string().regex(/^c_/), 'x', 'The body has not the form that is needed.'],
  [
    'none of several',
    z.union([z.string(), z.int()]),
    true,
    'The body is none of the forms that are possible here.',
  ],
])('says of a value that is %s what it must be', (_, schema, value, said) => {
  expect(words(schema, value)).toBe(said);
});
