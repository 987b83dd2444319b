import { describe, expect, test } from 'vitest';
import { Stage, ticket } from '../testing/stage.ts';

function stage(): Stage {
  return new Stage([
    ticket(1, 'Rename the menu'),
    ticket(4, 'Fix typo', { labels: ['xs'] }),
    ticket(6, 'Export invoices'),
    ticket(7, 'Fix a second typo', { labels: ['xs'] }),
    ticket(12, 'Fix a third typo', { labels: ['xs'] }),
  ]);
}

describe('a bare number names the ticket that has it', () => {
  test.each([
    ['close 1', ['close_issue HB-1']],
    ['ferme le 4', ['close_issue HB-4']],
    ['close 1 and 4', ['close_issue HB-1', 'close_issue HB-4']],
    ['put 6 in progress', ['transition_issue HB-6']],
    ['passe le 6 en revue', ['transition_issue HB-6']],
    ['assign 4 to Marie', ['assign_issue HB-4']],
    ['label 4 as bug', ['set_labels HB-4']],
    ['comment 4: ok', ['comment_issue HB-4']],
    ['dispatch 6', ['transition_issue HB-6']],
    ['close 99', []],
    ['close 6 tickets', []],
    ['close 1 and 99', []],
  ])('%s', async (text, changes) => {
    expect((await stage().say(text)).changes).toEqual(changes);
  });
  test.each([
    ['show me 7', 'HB-7'],
    ["c'est quoi le 12", 'HB-12'],
    ['ticket 4', 'HB-4'],
    ['12', 'HB-12'],
    ['montre le 6', 'HB-6'],
  ])('%s', async (text, id) => {
    const playing = stage();
    await playing.say('hello');
    expect((await playing.say(text)).reply).toMatch(new RegExp(`^${id} `));
  });
  test.each(['7 is too many', 'I have 4 minutes'])('but not in %s', async text => {
    const playing = stage();
    await playing.say('hello');
    expect((await playing.say(text)).reply).not.toMatch(/^HB-/);
  });
});

describe('after a numbered list a number within it is its place', () => {
  test.each([
    ['show 1', /^HB-4 /],
    ['montre le 2', /^HB-7 /],
    ['ticket 3', /^HB-12 /],
    ['3', /^HB-12 /],
    ['show 6', /^HB-6 /],
    ['show HB-1', /^HB-1 /],
  ])('%s', async (text, words) => {
    const playing = stage();
    await playing.say('quick wins?');
    expect((await playing.say(text)).reply).toMatch(words);
  });
  test('and is asked about before it is closed', async () => {
    const playing = stage();
    await playing.say('quick wins?');
    expect((await playing.say('close 1')).asked?.text).toContain('HB-4');
  });
  test('but no longer once something else was said', async () => {
    const playing = stage();
    await playing.say('quick wins?');
    await playing.say('thanks');
    expect((await playing.say('show 1')).reply).toMatch(/^HB-1 /);
  });
});

describe('a range means all tickets within it', () => {
  test.each([
    ['close HB-1 to HB-6', ['HB-1', 'HB-4', 'HB-6']],
    ['ferme HB-1 à HB-6', ['HB-1', 'HB-4', 'HB-6']],
    ['close tickets 1 to 6', ['HB-1', 'HB-4', 'HB-6']],
    ['close HB-1-HB-6', ['HB-1', 'HB-4', 'HB-6']],
    ['close HB-6..HB-1', ['HB-1', 'HB-4', 'HB-6']],
    ['move HB-1 through HB-7 to review', ['HB-1', 'HB-4', 'HB-6', 'HB-7']],
    ['close HB-1 to HB-7 except HB-4', ['HB-1', 'HB-6', 'HB-7']],
    ['assign HB-1 to HB-6 to Marie', ['HB-1', 'HB-4', 'HB-6']],
  ])('%s', async (text, ids) => {
    const { asked, changes } = await stage().say(text);
    expect(changes).toEqual([]);
    expect([...new Set(asked?.text.match(/HB-\d+/g))]).toEqual(ids);
  });
});
