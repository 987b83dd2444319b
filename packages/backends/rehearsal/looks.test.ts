import { describe, expect, test } from 'vitest';
import { Stage, ticket } from '../testing/stage.ts';

function stage(): Stage {
  return new Stage([
    ticket(1, 'Rename the menu', { body: 'Body of the first.' }),
    ticket(4, 'Export the orders', { body: 'Body of the fourth.' }),
    ticket(6, 'Refund cancelled orders'),
  ]);
}

describe('a look at a ticket is given whatever stands beside it', () => {
  test.each<[string, string, readonly string[]]>([
    ['show HB-4, HB-6 and close HB-1', 'Body of the fourth.', ['close_issue HB-1']],
    ['show #4 and then close hb1', 'Body of the fourth.', ['close_issue HB-1']],
    ['show HB-4 and close HB-1', 'Body of the fourth.', ['close_issue HB-1']],
    ['close HB-6 and show HB-4', 'Body of the fourth.', ['close_issue HB-6']],
    ['Show HB-1\nclose HB-4', 'Body of the first.', ['close_issue HB-4']],
    ['Show HB-1\n\ndispatch HB-6', 'Body of the first.', ['transition_issue HB-6']],
    ['dispatch HB-6\n\nShow HB-1', 'Body of the first.', ['transition_issue HB-6']],
    ['show HB-1 and create a ticket: Mend the door', 'Body of the first.', ['create_issue Mend the door']],
    ['Montre HB-1\n\nferme HB-4', 'Body of the first.', ['close_issue HB-4']],
    ['montre-moi HB-4 puis ferme HB-1', 'Body of the fourth.', ['close_issue HB-1']],
    ['Show HB-1\n\nclose it', 'Body of the first.', []],
  ])('%j', async (text, shown, made) => {
    const { reply, changes, asked } = await stage().say(text);
    expect(`${reply}${asked?.text ?? ''}`).not.toMatch(/did not understand|pas compris/);
    expect(changes).toEqual(made);
    // What parks tells it when the question is answered.
    if (asked === null) expect(reply).toContain(shown);
  });
  test('and of two looks, and of a question beside one, both are answered', async () => {
    const { reply } = await stage().say('Show HB-1\n\nShow HB-4');
    expect(reply).toContain('Body of the first.');
    expect(reply).toContain('Body of the fourth.');
    const both = await stage().say('Show HB-1\n\nlist the tickets');
    expect(both.reply).toContain('Body of the first.');
    expect(both.reply).toMatch(/^- HB-6/m);
  });
  test.each<[string, readonly string[]]>([
    ['comment HB-1: see below\n\nShow HB-4', ['comment_issue HB-1']],
    ["don't close HB-4\n\nshow me nothing", []],
    ['Show HB-1\n\nclose HB-99', []],
  ])('and changes no more than was said: %j', async (text, made) => {
    const { changes } = await stage().say(text);
    expect(changes).toEqual(made);
  });
});

test('a paragraph of a comment stays in it', async () => {
  const playing = stage();
  await playing.say('comment HB-1: see below\n\nShow HB-4');
  expect(playing.find('HB-1')?.comments.at(-1)?.body).toContain('Show HB-4');
});
