import { describe, expect, it } from 'vitest';
import { actionsNow } from './card-actions.ts';
import { assentWords, findingWords, fromWords, titleOf, versionWords } from './card-words.ts';
import { ACTIONS, cardOf, inputOf } from './testing/cards.ts';
import { kindRows, rowsOf, whatAMessageDoes } from './ways.ts';

describe('the actions of a card', () => {
  it('stand confirming first, then revising, then stopping, whatever the bot declared first', () => {
    expect(rowsOf(cardOf()).map(row => row.label)).toEqual([
      'Confirm standard',
      'Confirm pseudocode',
      'Change request',
      'Revise approach',
      'Stop',
    ]);
    expect(rowsOf(inputOf()).map(row => row.label)).toEqual(['Type the data…', 'Change request', 'Stop']);
  });

  it('can only be stopped while a new version is drafted, and say why', () => {
    const drafting = cardOf({ status: 'drafting' });
    expect(
      actionsNow(drafting)
        .filter(action => action.enabled)
        .map(action => action.name),
    ).toEqual(['stop']);
    expect(rowsOf(drafting)[0]).toEqual({
      label: 'Confirm standard',
      detail: 'a new version is being drafted',
      way: null,
    });
    expect(whatAMessageDoes(drafting)).toContain('once the new version is there');
  });

  it('that revise take along the words of a confirmation, when it is asked which', () => {
    const acts = kindRows(cardOf(), 'two pages').map(({ way }) => (way?.is === 'act' ? way.act : null));
    expect(acts).toEqual([
      { do: 'act', action: 'change_request', feedback: 'two pages' },
      { do: 'act', action: 'revise', feedback: 'two pages' },
    ]);
  });
});

it('says of a card its title, version, digest, standing, what it was made from, and what ok means', () => {
  const card = cardOf();
  expect(titleOf(card)).toBe('Response Plan Pseudocode');
  expect(titleOf(cardOf({ title: undefined as never }))).toBe('approach');
  expect(versionWords(card)).toBe('version 2 (2 so far), ab12cd34, not confirmed yet');
  expect(versionWords(cardOf({ status: 'drafting', earlier: [] }))).toBe(
    'version 2, ab12cd34, being redrafted, shown until the new version is there',
  );
  expect(fromWords(card, () => 'confirmed')).toBe('made from interpretation version 3 (confirmed)');
  expect(fromWords(cardOf({ from: [] }))).toBe('');
  expect(assentWords(card)).toBe('A plain "ok" means "Confirm standard".');
  expect(assentWords(cardOf({ actions: [...ACTIONS], assent: 'gone' }))).toBe('');
  expect(findingWords({ code: 'PDL-06', severity: 'warning', message: 'a code fence', line: 4 })).toBe(
    'warning, line 4: a code fence (PDL-06)',
  );
});
