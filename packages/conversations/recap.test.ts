import type { TranscriptLine } from '@hearth/protocol/history.ts';
import { describe, expect, it } from 'vitest';
import { RECAP_TURNS, Recaps } from './recap.ts';

/** Two lines for each turn, as a transcript has them. */
function turns(from: number, count: number, words = (n: number) => `words ${n}`): TranscriptLine[] {
  return Array.from({ length: count }, (_, index): TranscriptLine[] => {
    const n = from + index;
    const common = { at: '2026-01-01T00:00:00.000Z', turn: `t${n}` } as const;
    return [
      {
        ...common,
        is: 'said',
        seq: 2 * n,
        message: `m${2 * n}`,
        by: { kind: 'person', name: 'ada', surface: 'test' },
        text: words(n),
        attachments: [],
      },
      { ...common, is: 'replied', seq: 2 * n + 1, message: `m${2 * n + 1}`, node: 'home', text: `re ${n}` },
    ] as TranscriptLine[];
  }).flat();
}

/** A transcript that is read whole, and how often it was. */
function kept(lines: TranscriptLine[]) {
  const seen = { reads: 0, lines };
  const recaps = new Recaps(() => {
    seen.reads += 1;
    return Promise.resolve([...seen.lines]);
  });
  return { seen, recaps };
}

describe('a recap', () => {
  it('is read once, and goes on with what is said and replied', async () => {
    const { seen, recaps } = kept(turns(1, 2));
    expect((await recaps.before('t2')).turns.map(({ text }) => text)).toEqual(['words 1', 're 1']);
    recaps.take(turns(3, 1));
    expect((await recaps.before(null)).turns.map(({ who, text }) => `${who}: ${text}`)).toEqual([
      'person: words 1',
      'bot: re 1',
      'person: words 2',
      'bot: re 2',
      'person: words 3',
      'bot: re 3',
    ]);
    expect(seen.reads).toBe(1);
  });

  it('holds nothing twice that is told while it is read, or after it was', async () => {
    const { seen, recaps } = kept(turns(1, 1));
    const reading = recaps.before(null);
    recaps.take(turns(2, 1));
    await reading;
    seen.lines.push(...turns(2, 1));
    await recaps.before(null);
    recaps.take(turns(2, 1));
    expect((await recaps.before(null)).turns).toHaveLength(4);
  });

  it('holds the latest turns only', async () => {
    const { recaps } = kept(turns(1, 1));
    await recaps.before(null);
    for (let n = 2; n <= RECAP_TURNS + 5; n += 1) recaps.take(turns(n, 1));
    const { turns: told } = await recaps.before(null);
    expect(told).toHaveLength(2 * RECAP_TURNS);
    expect(told[0]?.text).toBe('words 6');
  });

  it('of long words is read again each time', async () => {
    const { seen, recaps } = kept(turns(1, 4, n => `${n}`.repeat(40_000)));
    await recaps.before(null);
    expect((await recaps.before(null)).turns).toHaveLength(8);
    expect(seen.reads).toBe(2);
  });
});
