import { describe, expect, test } from 'vitest';
import { languageOf, spoken } from './language.ts';
import { translated } from './tool-errors.ts';

describe('French words are answered in French from the first one on', () => {
  test.each([
    'clore HB-1',
    'clôturer HB-1',
    'assigner HB-1 à Bob',
    'dispatche HB-1',
    'résume',
    'fermait HB-1',
    'ferm HB-1',
    'arrête',
    'fin de session',
    'démarre HB-1',
    'rouvre HB-1',
    'débloque HB-1',
    'étiquette HB-1 comme bug',
    'nouveau ticket : footer',
    'quick wins faciles',
    'aperçu',
    'archive HB-1',
  ])('%s', text => {
    expect(spoken(text, null)).toBe('fr');
  });
});

describe('what a tool refuses is told in French', () => {
  test.each([
    ['The workspace is not a git repository, so it has no history to read.', /pas un dépôt git/],
    [
      'There is no ticket HB-9 on this board; the nearest are HB-1, HB-2.',
      /pas de ticket HB-9 .* HB-1, HB-2\.$/,
    ],
    ['Something new.', /^Something new\.$/],
  ])('%s', (why, words) => {
    expect(translated(why)).toMatch(words);
  });
});

describe('the language of a text', () => {
  test.each([
    ['which tickets are quick wins?', 'en'],
    ['close HB-4', 'en'],
    ['CLOSE IT', 'en'],
    ['thanks, see you later', 'en'],
    ['create a ticket: «Réparer le pied de page»', 'en'],
    ['indique-moi les tickets les plus pertinents pour un quickwin', 'fr'],
    ['ferme HB-4', 'fr'],
    ['FERME-LE', 'fr'],
    ['y a t il des tickets obsoletes', 'fr'],
    ['crée un ticket « Fix the login page of the app »', 'fr'],
    ['déjà livré ?', 'fr'],
    ['HB-4', null],
    ['ok', null],
    ['', null],
  ])('%s', (text, language) => {
    expect(languageOf(text)).toBe(language);
  });

  test.each([
    ['HB-4', 'fr', 'fr'],
    ['HB-4', null, 'en'],
    ['HB-4: the footer', 'fr', 'en'],
    ['crée un ticket : fix the login page and all of its forms', 'en', 'fr'],
    ['commente HB-4 : this is done and it works', null, 'fr'],
  ] as const)('%s after %s is answered in %s', (text, preferred, language) => {
    expect(spoken(text, preferred)).toBe(language);
  });
});
