import { describe, expect, test } from 'vitest';
import { languageOf, spoken } from './language.ts';

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
