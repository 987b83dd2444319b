import { describe, expect, test } from 'vitest';
import { commit, Stage, ticket } from '../testing/stage.ts';

/** A body whose end, which only a whole reading shows, says what blocks the ticket. */
const blockedAtTheEnd = `${'It needs a good look at every screen. '.repeat(8)}Blocked by HB-1.`;
const first = ticket(1, 'Order the new seed trays', { state: 'in_progress' });

describe('a ticket whose body says that it is blocked is not recommended', () => {
  test.each([
    ['hello', 'Blocked by HB-1.'],
    ['list the tickets', 'Blocked by HB-1.'],
    ['what should I do next?', 'Blocked by HB-1.'],
    ['hello', blockedAtTheEnd],
    ['list the tickets', blockedAtTheEnd],
    ['bonjour', blockedAtTheEnd],
    ['what should I do next?', blockedAtTheEnd],
  ])('%s', async (text, body) => {
    const playing = new Stage([
      first,
      ticket(2, 'Paint the door', { body, labels: ['urgent'] }),
      ticket(3, 'Sweep the path'),
    ]);
    expect((await playing.say(text)).reply).toMatch(/(?:take|prendrais ensuite|pick is) HB-3/);
  });
});

describe('reading goes on behind blocked tickets', () => {
  const board = (blocked: number) => [
    first,
    ...Array.from({ length: blocked }, (_, at) =>
      ticket(at + 10, `Blocked number ${at}`, { body: blockedAtTheEnd, labels: ['xs'] }),
    ),
    ticket(200, 'Fix a typo', { labels: ['xs'] }),
  ];
  test('until a free quick win is found', async () => {
    expect((await new Stage(board(14)).say('quick wins?')).reply).toContain('My pick is HB-200');
  });
  test('also one that needs no reading, behind more than are read', async () => {
    const { reply } = await new Stage(board(60)).say('quick wins?');
    expect(reply).toContain('My pick is HB-200');
    expect(reply).toContain('I did not read 20 more candidates');
  });
  test('and where it ends, what was left unread is said', async () => {
    const reading = new Stage(board(60).slice(0, -1));
    const { reply, calls } = await reading.say('quick wins?');
    expect(reply).toContain('None of the 40 likeliest tickets is free, and I did not read 20 more.');
    expect(reply).not.toContain('No open ticket is both small and unblocked');
    expect(calls.filter(({ name }) => name === 'get_issue')).toHaveLength(40);
  });
});

test('a quick win without evidence of its size is named as a guess', async () => {
  const playing = new Stage([ticket(1, 'Implement plate solving'), ticket(2, 'Tune the mount')]);
  const { reply } = await playing.say('quick wins?');
  expect(reply).toContain('No free ticket says that it is small; my 2 guesses:');
  expect(reply).toContain('no size given');
  expect((await playing.say('quels quick wins ?')).reply).toContain('aucune taille donnée');
});

test('the pick stands apart from the numbered list', async () => {
  const playing = new Stage([ticket(1, 'Fix typo')]);
  expect((await playing.say('quick wins?')).reply).toMatch(/\n1\. HB-1 .*\n\nMy pick is HB-1/);
});

test.each([
  [1, 'the only commit does not name an open ticket as done or share enough of its telling words'],
  [2, 'none of the last 2 commits names an open ticket as done or shares enough of its telling words'],
])('a history of %i commits without evidence is told as it is', async (n, words) => {
  const commits = Array.from({ length: n }, (_, at) => commit(at, `Plan the invoices export ${at}`));
  const playing = new Stage([ticket(1, 'Export invoices as CSV')], commits);
  expect((await playing.say('any obsolete tickets?')).reply).toContain(words);
});
