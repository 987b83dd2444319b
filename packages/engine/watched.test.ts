import { describe, expect, it, test } from 'vitest';
import { Bench } from './testing/bench.ts';
import { WATCHED_KEPT, type WatchedTicket, watchedIn, withWatched } from './watched.ts';

const fresh = (ticket: string, workspace: string | null = '/w'): WatchedTicket => ({
  ticket,
  workspace,
  title: null,
  state: null,
  seen: 0,
});

/** A conversation whose agent handed tickets over. */
function handedOver(ids: unknown): Bench {
  const bench = new Bench();
  bench.send('dispatch it', { workspace: '/w' });
  const output = { reply: 'ok', close: false, quick_replies: [], dispatched_ids: ids as string[] };
  bench.end(bench.start(), { is: 'done', output });
  return bench;
}

describe('R13.38: what an agent hands over is watched', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a list', ['HB-6', 'HB-7'], ['HB-6', 'HB-7']],
    ['a list as text', '["HB-6"]', ['HB-6']],
    ['an empty list as text is no ticket', '[]', []],
    ['what can be no ticket is left out', ['[]', '', 'the door', 'HB-0', 'native:1', 'HB-6'], ['HB-6']],
    ['ids as people write them', ['hb-6', ' 7 '], ['HB-6', 'HB-7']],
    ['the same one twice', ['HB-6', 'hb-6'], ['HB-6']],
    ['nothing of the kind', { HB: 6 }, []],
  ])('%s', (_what, ids, watched) => {
    expect(handedOver(ids).state.watched).toEqual(watched.map(id => fresh(id)));
  });

  it('is bounded: those that are done go first, then the oldest', () => {
    const all = Array.from({ length: WATCHED_KEPT }, (_, index) => fresh(`HB-${index + 1}`));
    const list = all.with(2, { ...fresh('HB-3'), title: 't', state: 'done', seen: 2 });
    const more = withWatched(list, ['HB-1000', 'HB-1001'], '/w').map(one => one.ticket);
    expect(more).toHaveLength(WATCHED_KEPT);
    expect(more).not.toContain('HB-3');
    expect(more).not.toContain('HB-1');
    expect(more.slice(-2)).toEqual(['HB-1000', 'HB-1001']);
  });

  it('the same number on another board is another ticket', () => {
    expect(withWatched([fresh('HB-6')], ['HB-6'], '/other')).toHaveLength(2);
  });
});

describe('a look at the board', () => {
  const first = { title: 'Door', state: 'ready', seen: 3 };
  const looked = (bench: Bench, found: typeof first | null, moves: [string, string][] = []): void =>
    bench.enter({
      is: 'looked',
      tickets: [
        {
          ticket: 'HB-6',
          workspace: '/w',
          found,
          moves: moves.map(([from, to]) => ({ change: 'moved', from, to })),
        },
      ],
    });
  const told = (bench: Bench) => bench.told('ticket').map(({ change, from, state }) => [change, from, state]);

  it('tells first that it is watched, then each move, and no move twice', () => {
    const bench = handedOver(['HB-6']);
    looked(bench, first);
    const second = { ...first, state: 'review', seen: 5 };
    looked(bench, second, [
      ['ready', 'in_progress'],
      ['in_progress', 'review'],
    ]);
    looked(bench, second, [['in_progress', 'review']]);
    expect(told(bench)).toEqual([
      ['watched', undefined, 'ready'],
      ['moved', 'ready', 'in_progress'],
      ['moved', 'in_progress', 'review'],
    ]);
    expect(bench.state.watched).toEqual([{ ticket: 'HB-6', workspace: '/w', ...second }]);
  });

  it('a ticket that is not there is watched no longer, and nothing is told of it', () => {
    const bench = handedOver(['HB-6', 'HB-7']);
    looked(bench, null);
    expect(bench.state.watched).toEqual([fresh('HB-7')]);
    expect(told(bench)).toEqual([]);
  });

  it('handed over again, it keeps what was told', () => {
    const bench = handedOver(['HB-6']);
    looked(bench, first);
    bench.send('again', { workspace: '/w' });
    const output = { reply: 'ok', close: false, quick_replies: [], dispatched_ids: ['HB-6'] };
    bench.end(bench.start(), { is: 'done', output });
    expect(bench.state.watched).toEqual([{ ticket: 'HB-6', workspace: '/w', ...first }]);
  });
});

test('a list of ids, as it was kept before, is read', () => {
  expect(watchedIn(['HB-6', '[]', fresh('HB-7')])).toEqual([fresh('HB-6', null), fresh('HB-7')]);
});
