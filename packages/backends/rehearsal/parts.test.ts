import { describe, expect, test } from 'vitest';
import { Stage, ticket } from '../testing/stage.ts';

function stage(): Stage {
  return new Stage([
    ticket(1, 'Rename the menu', { owner: 'Amélie' }),
    ticket(4, 'Export the orders', { owner: 'Bob', labels: ['bug'] }),
    ticket(6, 'Refund cancelled orders'),
    ticket(7, 'Water the plants'),
  ]);
}

describe('what no command carries out is said, and the rest is done', () => {
  test.each([
    ['close HB-1 and do a barrel roll', 'close_issue HB-1', 'do a barrel roll'],
    ['close HB-1. What next?', 'close_issue HB-1', 'What next?'],
    ['sing me a song. Then close HB-1.', 'close_issue HB-1', 'sing me a song.'],
    ['tidy up HB-4 and close HB-1', 'close_issue HB-1', 'tidy up HB-4'],
    ['move HB-1 to review, sing a song', 'transition_issue HB-1', 'sing a song'],
    ['close HB-1 and close the flux capacitor', 'close_issue HB-1', 'close the flux capacitor'],
    ['ferme HB-1 et chante une chanson', 'close_issue HB-1', 'chante une chanson'],
    ['ferme HB-1. Et raconte une blague !', 'close_issue HB-1', 'Et raconte une blague !'],
  ])('%s', async (text, change, part) => {
    const { reply, changes } = await stage().say(text);
    expect(changes).toEqual([change]);
    expect(reply).toMatch(/I did not understand: “|Je n'ai pas compris : «/);
    expect(reply).toContain(part);
  });
  test.each([
    'Thanks! Now close HB-1.',
    'Hi Nexie, please close HB-1',
    'close HB-1, please. Thanks a lot!',
    'close HB-1 and HB-4',
    'close HB-1, and the ticket HB-4 too',
    'close HB-1: it is old. Nobody reads it, and it is slow.',
    'close HB-1 because it is old. Nobody reads it.',
    'move HB-1 to review and HB-4 to ready',
    'comment HB-1: looks good. What next?',
    'once HB-4 is done, close HB-1',
    'merci, ferme HB-1 stp. Merci beaucoup !',
  ])('but nothing is left over in: %s', async text => {
    const { reply, asked } = await stage().say(text);
    expect(`${reply}${asked?.text ?? ''}`).not.toMatch(/did not understand|pas compris/);
  });
});

describe('a list is narrowed to what was asked, or it says that it cannot be', () => {
  test.each([
    ["tickets d'amélie", ['HB-1']],
    ["list Amélie's tickets", ['HB-1']],
    ['which tickets are assigned to bob?', ['HB-4']],
    ['which tickets are assigned to zoe?', []],
    ['unassigned tickets', ['HB-6', 'HB-7']],
    ['tickets sans responsable', ['HB-6', 'HB-7']],
    ['find the tickets about orders', ['HB-4', 'HB-6']],
    ['show the tickets about orders', ['HB-4', 'HB-6']],
    ['liste les tickets sur les plantes', ['HB-7']],
    ['liste les tickets qui parlent de orders', ['HB-4', 'HB-6']],
    ['unassigned tickets about orders', ['HB-6']],
    ['list the tickets on the board', ['HB-1', 'HB-4', 'HB-6', 'HB-7']],
  ])('%s', async (text, ids) => {
    const { reply } = await stage().say(text);
    expect(reply.match(/^- HB-\d+/gm) ?? []).toEqual(ids.map(id => `- ${id}`));
    expect(reply).not.toMatch(/cannot narrow|ne sais pas restreindre/);
  });
  test.each([
    ['list my tickets', 'my'],
    ['which tickets were created yesterday?', 'created yesterday'],
    ['list the tickets from paris', 'paris'],
    ['liste les tickets de zoé', 'zoe'],
    ['les tickets les plus anciens', 'plus anciens'],
  ])('%s', async (text, by) => {
    const { reply } = await stage().say(text);
    expect(reply).toMatch(/cannot narrow|ne sais pas restreindre/);
    expect(reply).toContain(by);
  });
  test('so is a shortlist', async () => {
    const { reply } = await stage().say('which unassigned tickets are quick wins?');
    expect(reply).toContain('Only among the tickets without an owner');
    expect(reply).not.toContain('HB-1 ');
  });
});
