import { type Code, error } from './code.ts';
import { agent, base, beside, withProperty } from './sources.ts';

/** What the parser says: a source is not written as the grammar wants it. */
export const SYNTAX: readonly Code[] = [
  error('E001', {
    meaning: 'what stands here begins no declaration',
    mend: 'begin the line with the keyword of a declaration, or write the text after `##` as a comment',
    wrong: `x y z\n${base('a -> done')}`,
    right: `## x y z\n${base('a -> done')}`,
  }),
  error('E002', {
    meaning: 'something else is expected here',
    mend: 'write what the message asks for; text values stand in quotes, and a block is indented with spaces',
    wrong: withProperty('backend: claude_code'),
    right: withProperty('backend: "claude_code"'),
  }),
  error('E011', {
    meaning: 'a reserved name',
    mend: 'choose another name: `done` and `fail` are the ends that every workflow has',
    wrong: `${agent('done')}${base('a -> done')}`,
    right: base('a -> done'),
  }),
  error('E012', {
    meaning: 'an unknown property',
    mend: 'write a property that the declaration has, or take the line out',
    wrong: withProperty('colour: "red"'),
    right: withProperty('readonly: true'),
  }),
  error('E014', {
    meaning: 'a block that a file has only once',
    mend: 'move the entries of the second block into the first',
    wrong: `vars:\n  x: int\n\nvars:\n  y: int\n\n${base('a -> done')}`,
    right: `vars:\n  x: int\n  y: int\n\n${base('a -> done')}`,
  }),
  error('E020', {
    meaning: 'none of the words that a property takes',
    mend: 'write one of the words that the message lists',
    wrong: withProperty('session: sticky'),
    right: withProperty('session: inherit'),
  }),
  error('E021', {
    meaning: 'an unknown type',
    mend: 'write `string`, `bool`, `int`, `float`, `json` or `string[]`',
    wrong: beside('schema t:\n  ok: boolean'),
    right: beside('schema t:\n  ok: bool'),
  }),
  error('E030', {
    meaning: 'a clause that the edge already has',
    mend: 'write each clause once; two conditions are one expression in quotes, or two edges',
    wrong: base('a -> done when ok when not ok', 'a -> fail'),
    right: base('a -> done when ok', 'a -> fail'),
  }),
];
