import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoardTicket, Commit } from './board-reading.ts';
import { obsolete } from './obsolete.ts';
import { commit, ticket as staged } from '../testing/stage.ts';

function ticket(number: number, title: string, more: Partial<BoardTicket> = {}): BoardTicket {
  return { ...staged(number, title), comments: [], ...more };
}

function found(title: string, ...subjects: readonly (string | Commit)[]): string[] {
  const commits = subjects.map((one, at) => (typeof one === 'string' ? commit(at + 1, one) : one));
  const others = [
    ticket(90, 'Translate the onboarding mails'),
    ticket(91, 'Measure cold start of the worker'),
  ];
  return obsolete([ticket(4, title), ...others], commits).map(one => one.ticket.id);
}

describe('a commit that names the ticket is evidence', () => {
  test.each([
    'Fix the footer (HB-4)',
    'hb-4: footer',
    'Close HB-4 and HB-7',
    '[HB-4] footer',
    'Footer, closes HB-4.',
  ])('%s', subject => {
    expect(found('Anything at all', subject)).toEqual(['HB-4']);
  });
  test('also in its body', () => {
    expect(found('Anything at all', commit(1, 'Tidy the footer', 'Details.\n\nCloses HB-4.'))).toEqual([
      'HB-4',
    ]);
  });
  test.each([
    'HB-40 footer',
    'XHB-4',
    'HB-4-2',
    'hb4x',
    'Fix #4',
    'WIP HB-4',
    'Part of HB-4',
    'Revert "Fix HB-4"',
    'Start work on HB-4',
    'Merge branch hb-4',
    'Do not touch HB-4 yet',
    "Don't close HB-4",
    'Blocked by HB-4, so the footer waits',
    'TODO: HB-4 needs a footer',
    'Start HB-4',
    'HB-4: start on the footer',
    'Begin HB-4',
    'Plan HB-4',
    'chore: prepare HB-4',
    'Footer comes later, HB-4',
    'HB-4 is not yet done',
    'Commence HB-4',
    'Ne pas toucher à HB-4',
    'HB-4 pas encore fait',
    'Bloqué par HB-4',
    'À faire : HB-4',
  ])('but not: %s', subject => {
    expect(found('Anything at all', subject)).toEqual([]);
  });
  test.each(['See HB-4.', 'Follow-up in HB-4.', 'Blocked by HB-4.', 'TODO: HB-4'])(
    'nor when its body only mentions it: %s',
    body => {
      expect(found('Anything at all', commit(1, 'Tidy the footer', body))).toEqual([]);
    },
  );
  test('a commit that was reverted later is none, and one that was done again is', () => {
    expect(found('Anything', 'Revert "Footer HB-4"', 'Footer HB-4')).toEqual([]);
    expect(found('Anything', 'Footer HB-4', 'Revert "Footer HB-4"', 'Footer HB-4')).toEqual(['HB-4']);
  });
});

describe('a commit that shares the telling words is evidence', () => {
  test.each([
    ['Export invoices as CSV', 'feat: export invoices to csv'],
    ['Export invoices as CSV', 'Invoices can be exported as CSV'],
    ['Add dark mode to the settings page', 'Add dark mode to settings'],
    ['Rate limit the login endpoint', 'Limit the rate of login attempts at the endpoint'],
    ['Fix crash when the avatar upload times out', 'fix: avatar upload crash on timeout'],
    ["Ajouter l'export CSV des factures", 'Ajoute un export des factures en CSV'],
    ['Upgrade PostgreSQL driver', 'Upgrade the PostgreSQL driver to 9'],
  ])('%s — %s', (title, subject) => {
    expect(found(title, subject)).toEqual(['HB-4']);
  });
});

describe('other commits are no evidence', () => {
  test.each([
    ['Export invoices as CSV', 'Export users to JSON'],
    ['Export invoices as CSV', 'Add page'],
    ['Fix the login page', 'Fix the settings page'],
    ['Add tests for the parser', 'Add tests for the lexer'],
    ['Fix crash of the CSV export', 'Add CSV export'],
    ['Remove the dark mode', 'Add the dark mode'],
    ['Document the CSV export', 'Add CSV export'],
    ['Dark mode for the mail templates', 'Add dark mode'],
    ['Onboarding', 'Rework onboarding'],
    ['Update the user page', 'Update the user page'],
    ['Add a button to the list', 'Add a button to the list'],
    ['Export invoices as CSV', 'Merge branch export-invoices-csv'],
    ['Export invoices as CSV', 'wip export invoices csv'],
  ])('%s — %s', (title, subject) => {
    expect(found(title, subject)).toEqual([]);
  });

  test('done tickets are never obsolete', () => {
    expect(obsolete([ticket(4, 'Footer', { state: 'done' })], [commit(1, 'HB-4')])).toEqual([]);
  });

  test('one commit speaks by its words for the ticket that it covers best', () => {
    const tickets = [
      ticket(1, 'Export invoices as CSV'),
      ticket(2, 'Export invoices as CSV for accountants'),
    ];
    expect(obsolete(tickets, [commit(1, 'Export invoices as CSV')]).map(one => one.ticket.id)).toEqual([
      'HB-1',
    ]);
  });

  test('words that the whole history has tell nothing', () => {
    const many = Array.from({ length: 40 }, (_, at) => commit(at + 10, `hearth console: change ${at}`));
    expect(obsolete([ticket(1, 'Hearth console')], many)).toEqual([]);
  });

  test('commits made of common words are never evidence', () => {
    const words = fc.constantFrom(
      'add',
      'fix',
      'page',
      'update',
      'the',
      'test',
      'bug',
      'user',
      'list',
      'error',
      'remove',
      'improve',
      'ajouter',
      'corriger',
      'liste',
    );
    const text = fc.array(words, { minLength: 1, maxLength: 8 }).map(list => list.join(' '));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 6 }), (title, subjects) => {
        expect(
          obsolete(
            [ticket(1, title)],
            subjects.map((subject, at) => commit(at, subject)),
          ),
        ).toEqual([]);
      }),
    );
  });

  test('evidence by words shares at least two of them, whatever the board and the history', () => {
    const word = fc.constantFrom(
      'invoice',
      'export',
      'csv',
      'avatar',
      'upload',
      'login',
      'rate',
      'mail',
      'add',
      'fix',
      'page',
      'the',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map(list => list.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(text, { maxLength: 6 }), (titles, subjects) => {
        const tickets = titles.map((title, at) => ticket(at + 1, title));
        for (const one of obsolete(
          tickets,
          subjects.map((subject, at) => commit(at, subject)),
        )) {
          expect(one.words.length).toBeGreaterThanOrEqual(2);
          for (const shared of one.words) {
            expect(one.ticket.title).toContain(shared);
            expect(one.commit.subject).toContain(shared);
          }
        }
      }),
    );
  });
});

test('evidence carries the commit and the words as the commit writes them', () => {
  const [one] = obsolete([ticket(1, 'Export invoices as CSV')], [commit(5, 'feat: exported Invoices, csv')]);
  expect(one).toMatchObject({ commit: { short: 'cccccc5' }, words: ['exported', 'Invoices', 'csv'] });
});
