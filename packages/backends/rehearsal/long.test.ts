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
    ['which tickets are quick wins?', 'That is long: I read only the first 4000 characters'],
    ['quels tickets pour un quick win ?', "C'est long : je n'ai lu que les 4000 premiers caractères"],
  ])('says so where it answers: %s', async (text, said) => {
    const turn = await stage().say(text + tail);
    expect(turn.reply).toContain(said);
    expect(turn.changes).toEqual([]);
  });

  test.each([
    ['close HB-1.', 'I carry out nothing of a message that I cannot read whole'],
    ['ferme HB-1.', "Je n'exécute rien d'un message que je ne peux pas lire en entier"],
    ['close HB-1, HB-2 and HB-3.', 'send the order by itself'],
    ['bye, end the conversation.', 'send the order by itself'],
  ])('carries nothing out, since the rest may take it back: %s', async (text, said) => {
    const playing = stage();
    const turn = await playing.say(`${text} ${'word '.repeat(READ)} no, do not, forget it`);
    expect(turn.reply).toContain(said);
    expect([turn.changes, turn.asked]).toEqual([[], null]);
    expect(turn.last).toMatchObject({ output: { close: false } });
    // The same order by itself is heard.
    expect((await playing.say(text)).reply).not.toContain(said);
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
