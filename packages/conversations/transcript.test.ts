import type { TranscriptLine } from '@hearth/protocol/history.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import { Transcript } from './transcript.ts';

const by = { kind: 'person', name: 'ada', surface: 'test' } as const;
const said = (seq: number, text: string): TranscriptLine => {
  const about = { at: '2026-01-01T00:00:00.000Z', turn: null, message: `m${seq}`, by } as const;
  return { ...about, is: 'said', seq, text };
};
const mark = (seq: number, text: string): TranscriptLine => {
  const about = { at: '2026-01-01T00:00:00.000Z', turn: null } as const;
  return { ...about, is: 'mark', mark: 'run', seq, text };
};

describe('a page of the transcript', () => {
  it('never parts a commit, however many lines it has, and misses none', async () => {
    const disk = new SimDisk();
    await disk.makeDirectory('/t');
    const transcript = await Transcript.open(disk, '/t/transcript.jsonl', 0, () => undefined);
    const lines = [
      said(1, 'one'),
      ...Array.from({ length: 200 }, (_, index) => mark(2, `many ${index}`)),
      said(3, 'two'),
      ...Array.from({ length: 10 }, (_, index) => mark(4, `few ${index}`)),
      said(5, 'three'),
    ];
    transcript.push(lines);
    const pages: TranscriptLine[][] = [];
    for (let before: number | null = null; ; ) {
      const page = await transcript.page(before, 1);
      pages.unshift([...page.items]);
      if (page.previous === null) break;
      before = page.previous;
    }
    expect(pages.flat()).toEqual(lines);
    expect(pages.map(page => page[0])).toEqual([said(1, 'one'), said(3, 'two'), said(5, 'three')]);
    await transcript.close();
  });
});
