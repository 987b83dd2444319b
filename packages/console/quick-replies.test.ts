import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuickReplies } from './quick-replies.ts';
import { themeFor } from './theme.ts';

const theme = themeFor({ NO_COLOR: '1' });
const LONG = 'Close HB-1, HB-2 and HB-3, and delete everything that hangs on them without asking me again';

function list(...replies: string[]): QuickReplies {
  const quick = new QuickReplies(theme, () => 12);
  quick.show(replies);
  return quick;
}

const text = (quick: QuickReplies, width: number): string =>
  quick.render(width).join(' ').replace(/\s+/g, ' ');

describe('quick replies', () => {
  it('are chosen by a number, and by arrows from there', () => {
    const quick = list('a', 'b', 'c');
    expect([quick.move('down'), quick.chosen]).toEqual([false, null]);
    expect([quick.move(3), quick.chosen]).toEqual([true, 'c']);
    expect([quick.move('down'), quick.chosen]).toEqual([true, 'a']);
    expect([quick.move('up'), quick.chosen]).toEqual([true, 'c']);
    expect([quick.move(4), quick.chosen]).toEqual([false, 'c']);
    quick.leave();
    expect(quick.chosen).toBeNull();
  });

  it('keep who stands on them only while they stay the same', () => {
    const quick = list('a', 'b');
    quick.move(2);
    quick.show(['a', 'b']);
    expect(quick.chosen).toBe('b');
    quick.show(['a', 'Delete the board']);
    expect(quick.chosen).toBeNull();
  });

  it('are shown whole before they are sent, however narrow the screen is', () => {
    const quick = list(LONG, 'b');
    expect(text(quick, 24)).toContain('…');
    quick.move(1);
    expect(text(quick, 24)).toContain(`› 1 ${LONG}`);
    expect(text(quick, 24)).toContain('Enter sends this');
  });

  it('are all there on a low screen, or counted', () => {
    const quick = new QuickReplies(theme, () => 7);
    quick.show([LONG, LONG, LONG]);
    expect(quick.render(40).filter(line => /^ {2}\d /.test(line))).toHaveLength(3);
    const low = new QuickReplies(theme, () => 4);
    low.show([LONG, LONG, LONG]);
    expect(low.render(40).at(-1)).toBe('2 of 3 replies');
  });

  it('are all readable on a wide screen, with what to do', () => {
    expect(list(LONG, 'b').render(120)).toEqual([
      `  1 ${LONG}`,
      '  2 b',
      'A number, then Enter, sends it; or type your own words.',
    ]);
    expect(list().render(80)).toEqual([]);
  });

  it('fit every width, and show the one that is chosen', () => {
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 90 }),
        (all, width) => {
          const quick = list(...all);
          quick.move(all.length);
          const rows = quick.render(width);
          for (const row of rows) expect(visibleWidth(row)).toBeLessThanOrEqual(width);
          expect(rows.some(row => row.startsWith('›'))).toBe(true);
        },
      ),
    );
  });
});
