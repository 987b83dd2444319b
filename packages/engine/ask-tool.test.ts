import type { JsonObject } from '@hearth/protocol/json.ts';
import { describe, expect, test } from 'vitest';
import { askOf } from './ask-tool.ts';

const yes = { id: 'yes', label: 'Yes' };
const no = { id: 'no', label: 'No', detail: 'Nothing happens' };

describe('a question', () => {
  test.each<[string, JsonObject, object]>([
    [
      'with options takes no other answer',
      { question: ' Do it? ', options: [yes, no] },
      { text: 'Do it?', options: [yes, no], allowFreeText: false },
    ],
    [
      'unless it says so',
      { question: 'Do it?', options: [yes], allow_free_text: 'true' },
      { allowFreeText: true },
    ],
    ['without options takes any', { question: 'Why?' }, { options: [], allowFreeText: true }],
    [
      'may have its options as text',
      { question: 'Do it?', options: '[{"id":"yes","label":"Yes"}]' },
      { options: [yes] },
    ],
    [
      'may have plain words as options',
      { question: 'Which?', options: ['a', 'b'] },
      {
        options: [
          { id: 'a', label: 'a' },
          { id: 'b', label: 'b' },
        ],
      },
    ],
    ['may have nothing as options', { question: 'Why?', options: null }, { options: [] }],
  ])('%s', (_, args, expected) => {
    expect(askOf('c1', args)).toMatchObject({ call: 'c1', ...expected });
  });
  test.each<[string, JsonObject, string]>([
    ['without words', { question: ' ' }, 'question'],
    ['whose options are no list', { question: 'Do it?', options: 'yes or no' }, 'options'],
    ['with an option without a label', { question: 'Do it?', options: [{ id: 'yes' }] }, 'options'],
    [
      'whose options cannot be told apart',
      { question: 'Do it?', options: [yes, { ...no, id: 'yes' }] },
      'different id',
    ],
  ])('%s is none', (_, args, says) => {
    expect(askOf('c1', args)).toEqual({ wrong: expect.stringContaining(says) });
  });
});
