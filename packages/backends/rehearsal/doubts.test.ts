import { describe, expect, test } from 'vitest';
import { commit, Stage, ticket } from '../testing/stage.ts';

function stage(): Stage {
  return new Stage(
    [
      ticket(1, 'Rename the workspace menu', { owner: 'Ada' }),
      ticket(3, 'Wait for the vendor', { state: 'blocked' }),
      ticket(4, 'Export invoices as CSV'),
      ticket(5, 'Ajouter un favicon'),
      ticket(6, 'Translate the onboarding mails', { state: 'in_progress' }),
      ticket(10, 'Limit the rate of login attempts'),
      ticket(11, 'Shipped long ago', { state: 'done' }),
      ticket(12, 'Shipped last year', { state: 'done' }),
    ],
    [commit(1, 'feat: export invoices to csv'), commit(2, 'Limit login attempts by rate')],
  );
}

async function said(text: string): Promise<{ changes: readonly string[]; told: string; close: boolean }> {
  const turn = await stage().say(text);
  return { changes: turn.changes, told: `${turn.reply}${turn.asked?.text ?? ''}`, close: turn.close };
}

describe('an order that the same message takes back is not carried out', () => {
  test.each([
    "close HB-1. Actually don't do that.",
    "close HB-1. No, don't.",
    'close HB-1, actually no',
    'close HB-1, no wait, HB-6',
    'close HB-1 no wait HB-6',
    'close HB-1. Wait, close HB-6 instead.',
    'close HB-1, close HB-6 instead',
    'close HB-1, sorry, HB-6',
    'close HB-1, never mind',
    'close HB-1\nI mean HB-6',
    'move HB-6 to ready, no, to review',
    'move HB-6 to ready, or rather to review, actually no',
    'assign HB-1 to Marie. Forget it.',
    "close HB-1 because it is old, no wait, don't",
    'create a ticket: Fix the footer. Actually no.',
    'comment HB-1: looks good. No, wait.',
    'ferme HB-1. Non, en fait ne le ferme pas.',
    'ferme HB-1, non attends, HB-6',
    'ferme HB-1, attends',
    'ferme HB-1. Annule.',
    'ferme HB-1, plutôt HB-6',
    "ferme HB-1, je veux dire HB-6. N'y touche pas.",
    'passe HB-6 en revue, en fait laisse tomber',
  ])('%s', async text => {
    const { changes, told } = await said(text);
    expect(changes).toEqual([]);
    expect(told).toMatch(/nothing was done\. What do you mean|rien n'a été fait\. Que voulez-vous dire/);
  });

  test.each([
    ['close HB-1 because nobody needs it', ['comment_issue HB-1', 'close_issue HB-1']],
    ["close HB-1 because we don't need it", ['comment_issue HB-1', 'close_issue HB-1']],
    ['close HB-1, no rush', ['close_issue HB-1']],
    ['move HB-6 to review instead of ready', ['transition_issue HB-6']],
    ['label HB-1 as no-repro', ['set_labels HB-1']],
    ["comment HB-1: don't close this, wait for Ada", ['comment_issue HB-1']],
    ['create a ticket: Do not wait for the vendor', ['create_issue Do not wait for the vendor']],
  ])('but an order is not taken back by its own words: %s', async (text, changes) => {
    expect((await said(text)).changes).toEqual(changes);
  });
});

describe('the session stays open unless it is plainly told to end', () => {
  test.each([
    'end the session? no',
    'end the session, no wait, keep it open',
    'Paul said: close the session',
    'Paul wrote:\nclose the session',
    'end the session after HB-3',
    'end the session once HB-3 is done',
    'once HB-3 is done, end the session',
    'close the conversation when you are done',
    'end the session tomorrow',
    'end the session with a summary of everything',
    'end the session?',
    'ferme la session quand HB-3 est fini',
    'dès que HB-3 est fini, ferme la session',
    'ferme la session, non attends',
    'Paul a dit : ferme la session',
    'ferme la session demain',
  ])('%s', async text => {
    const { changes, told, close } = await said(text);
    expect([changes, close]).toEqual([[], false]);
    expect(told).toMatch(/The session stays open|La session reste ouverte/);
    const other = stage();
    other.grants = [];
    expect((await other.say(text)).close).toBe(false);
  });

  test('a question that is asked first keeps it open, and says so', async () => {
    const { told, close } = await said('close HB-1, HB-4 and HB-6, then end the session');
    expect(told).toContain('stays open');
    expect(close).toBe(false);
  });
});

describe('what is reopened was done, and what is unblocked was blocked', () => {
  test.each([
    ['reopen all done tickets', ['transition_issue HB-11', 'transition_issue HB-12']],
    ['rouvre tous les tickets terminés', ['transition_issue HB-11', 'transition_issue HB-12']],
    ['reopen everything', ['transition_issue HB-11', 'transition_issue HB-12']],
    ['reopen HB-11', ['transition_issue HB-11']],
    ['reopen HB-11 and move it to review', ['transition_issue HB-11', 'transition_issue HB-11']],
    ['unblock everything', ['transition_issue HB-3']],
    ['débloque tous les tickets bloqués', ['transition_issue HB-3']],
    ['reopen HB-1', []],
    ['unblock HB-1', []],
  ])('%s', async (text, changes) => {
    expect((await said(text)).changes).toEqual(changes);
  });
  test('another ticket is named with the state that it is in', async () => {
    expect((await said('reopen HB-6')).told).toContain('is in progress, not done');
    expect((await said('débloque HB-6')).told).toContain('est à l');
  });
});

describe('of alternatives the person chooses', () => {
  test.each([
    'close HB-1 or HB-6?',
    'close either HB-1 or HB-6',
    'close one of HB-1 and HB-6',
    'ferme HB-1 ou HB-6',
    'assign HB-1 to paul or marie',
    'assigne HB-1 à Paul ou à Marie',
    'move HB-1 to review or ready',
    'label HB-1 as bug or docs',
  ])('%s', async text => {
    const { changes, told } = await said(text);
    expect(changes).toEqual([]);
    expect(told).toMatch(/alternatives|possibilités/);
  });
});

describe('"them all" are the tickets that were shown last', () => {
  test.each([
    ['close them all except HB-4', ['HB-10']],
    ['ferme-les tous sauf HB-4', ['HB-10']],
    ['close them all', ['HB-4', 'HB-10']],
    ['ferme-les toutes', ['HB-4', 'HB-10']],
    ['close all of them', ['HB-4', 'HB-10']],
  ])('%s', async (text, ids) => {
    const playing = stage();
    await playing.say('any obsolete tickets?');
    const { asked } = await playing.say(text);
    expect([...new Set(asked?.options.flatMap(({ label }) => label.match(/HB-\d+/g) ?? []))]).toEqual(ids);
  });
});

describe('an order with a question mark, a time or a condition is asked about first', () => {
  test.each([
    'close HB-10?',
    'fermer HB-10 ?',
    'ferme HB-10 ?',
    'close HB-10 tomorrow',
    'close HB-10 next week',
    'ferme HB-10 demain',
    'ferme HB-10 dans deux jours',
    'Paul said: close HB-10',
    'once HB-1 is done, close HB-10',
    'create a ticket to water the plants?',
  ])('%s', async text => {
    const playing = stage();
    const turn = await playing.say(text);
    expect(turn.changes).toEqual([]);
    expect(turn.asked?.options.map(({ id }) => id)).toEqual(['yes', 'no']);
  });
  test.each([
    ['can you close HB-10?', ['close_issue HB-10']],
    ['create a ticket: why does the footer move?', ['create_issue Why does the footer move?']],
    ['comment HB-10: is this still needed?', ['comment_issue HB-10']],
    ['close HB-10. What next?', ['close_issue HB-10']],
  ])('but not %s', async (text, changes) => {
    expect((await said(text)).changes).toEqual(changes);
  });
  test('that nothing can wait for a time is said', async () => {
    expect((await said('close HB-10 tomorrow')).told).toContain('I can only do it now');
  });
});

describe('a question whether one ticket can be closed is answered for that ticket', () => {
  test.each([
    ['should I close HB-10?', /HB-10 .*looks done already.*ccccccc2|HB-10 .*commit cccccc2/],
    ['HB-10 can be closed', /HB-10 .*commit cccccc2/],
    ['is HB-10 already done?', /HB-10 .*commit cccccc2/],
    ['should I close HB-1?', /no commit shows that HB-1/i],
    ['HB-1 est-il obsolète ?', /aucun commit ne montre que HB-1/i],
    ['is HB-99 obsolete?', /HB-99/],
  ])('%s', async (text, words) => {
    const { changes, told } = await said(text);
    expect(changes).toEqual([]);
    expect(told).toMatch(words);
    if (!text.includes('HB-1?')) expect(told).not.toContain('HB-4');
  });
});

describe('a ticket is assigned by the telling words of its title when only one has them', () => {
  test.each([
    ['assign the favicon ticket to bob', ['assign_issue HB-5']],
    ['assigne « Ajouter un favicon » à bob', ['assign_issue HB-5']],
    ['assign the login attempts ticket to bob', ['assign_issue HB-10']],
    ['assign the shiny favicon thing to bob', []],
    ['assign the flux capacitor to bob', []],
  ])('%s', async (text, changes) => {
    const { changes: made, told } = await said(text);
    expect(made).toEqual(changes);
    if (changes.length === 0) expect(told).toContain('Nothing was changed');
  });
});
