import { describe, expect, test } from 'vitest';
import { Stage, ticket } from '../testing/stage.ts';
import { clauses, heard } from './clauses.ts';
import { READ } from './reading.ts';

/*
 * The rehearsal runs on the thread that serves everybody, so the longest message must cost no more than a short one.
 * Whoever reads it whole, or looks ahead without a bound, runs into the limit of a test here: by minutes, not by a little.
 */

const MIB = 2 ** 20;

function long(unit: string): string {
  return unit.repeat(Math.ceil(MIB / unit.length)).slice(0, MIB);
}

describe.each([
  ['commas', ','],
  ['verbs without an object', 'set a , put b , '],
  ['verbs whose word is far away', 'give a , mark b , '],
  ['words that lead to a verb', 'ok , and '],
  ['quotes that never close', '«'],
  ['words with typing faults', 'clsoet brod '],
  ['empty lines', '\n'],
  ['French denials', 'ne ferme '],
  ['words that lead to a name', 'assign HB-1 to a '],
])('a message of 1 MiB: %s', (_, unit) => {
  test('only its beginning is looked at', () => {
    const read = heard(long(unit));
    expect(read.text.length).toBeLessThanOrEqual(READ);
    expect(read.plain.length).toBeLessThanOrEqual(READ * 2);
    expect(read.cut).toBe(true);
    expect(() => clauses(read)).not.toThrow();
  });

  test('it is answered, by the assistant and by other bots', async () => {
    const playing = new Stage([ticket(1, 'Thing')]);
    expect((await playing.say(long(unit))).last.type).toBe('done');
    playing.grants = [];
    expect((await playing.say(long(unit))).last.type).toBe('done');
  });
});

describe('a message of which only the beginning was read', () => {
  const tail = ` ${'word '.repeat(READ)} then close HB-2`;
  const stage = () => new Stage([ticket(1, 'Thing'), ticket(2, 'Other'), ticket(3, 'More')]);

  test.each([
    ['close HB-1.', 'That is long: I read only the first 4000 characters'],
    ['which tickets are quick wins?', 'That is long: I read only the first 4000 characters'],
    ['quels tickets pour un quick win ?', "C'est long : je n'ai lu que les 4000 premiers caractères"],
  ])('says so, and does nothing of the rest: %s', async (text, said) => {
    const playing = stage();
    const turn = await playing.say(text + tail);
    expect(turn.reply).toContain(said);
    expect(playing.find('HB-2').state).toBe('backlog');
  });

  test('says so in its question too', async () => {
    const turn = await stage().say(`close HB-1, HB-2 and HB-3.${tail}`);
    expect(turn.asked?.text).toContain('That is long');
  });

  test('says so where a bot only repeats what it heard', async () => {
    const playing = stage();
    playing.grants = [];
    expect((await playing.say(`hello${tail}`)).reply).toContain('That is long');
  });

  test('is not split within a character', () => {
    expect(heard(`a${'😀'.repeat(READ)}`).text.isWellFormed()).toBe(true);
  });
});

test('the longest message that is read whole says nothing about its length', async () => {
  const turn = await new Stage([ticket(1, 'Thing')]).say(`close HB-1: ${'x'.repeat(READ - 12)}`);
  expect([turn.changes, turn.reply.includes('long')]).toEqual([
    ['comment_issue HB-1', 'close_issue HB-1'],
    false,
  ]);
});
