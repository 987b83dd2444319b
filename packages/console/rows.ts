import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { Style } from './theme.ts';

/*
 * Rows of a list that can be chosen from. A row is wrapped under itself; the one that somebody stands on is shown as
 * whole as there is room for, the others as many as fit, and what is left out anywhere is marked, so that nothing is
 * taken unread or unseen.
 */

/** Lines of a row on which nobody stands. */
export const LINES = 3;

/** A sign and words after it, at most `lines` lines; none is wider than `width`. */
export function wrappedRow(
  sign: string,
  words: string,
  width: number,
  { style = text => text, lines = LINES }: { readonly style?: Style; readonly lines?: number } = {},
): readonly string[] {
  const inner = Math.max(1, width - visibleWidth(sign));
  const indent = ' '.repeat(visibleWidth(sign));
  return clipped(wrapTextWithAnsi(words, inner), lines, inner).map((line, index) =>
    truncateToWidth(`${index === 0 ? sign : indent}${style(line)}`, width, ''),
  );
}

/** The first `count` of some lines, with a mark where any is left out. */
function clipped(lines: readonly string[], count: number, width: number): readonly string[] {
  if (lines.length <= count) return lines;
  const last = truncateToWidth(lines[count - 1] ?? '', Math.max(0, width - 1), '').trimEnd();
  return [...lines.slice(0, count - 1), `${last}…`];
}

/** As many neighbouring rows as fit into `room` lines, the one at `at` among them. */
export function windowOf(
  rows: readonly (readonly string[])[],
  at: number,
  room: number,
): readonly (readonly string[])[] {
  let from = at;
  let to = at + 1;
  let used = rows[at]?.length ?? 0;
  for (;;) {
    const above = rows[from - 1];
    const below = rows[to];
    if (above !== undefined && used + above.length <= room) {
      from--;
      used += above.length;
    } else if (below !== undefined && used + below.length <= room) {
      to++;
      used += below.length;
    } else {
      return rows.slice(from, to);
    }
  }
}

/** The rows of a list in `room` lines, and how many of them are there. */
export interface Listed {
  readonly lines: readonly string[];
  readonly shown: number;
}

/**
 * Lists rows around the one at `at`; `null` when nobody stands anywhere. `draw` draws one in at most so many lines; where
 * room is short, all others take one.
 */
export function listed(
  count: number,
  at: number | null,
  room: number,
  draw: (index: number, lines: number) => readonly string[],
): Listed {
  const rows = Array.from({ length: count }, (_, index) =>
    draw(index, index === at ? Math.max(LINES, room) : LINES),
  );
  const fits = rows.reduce((sum, row) => sum + row.length, 0) <= room;
  const tight = rows.map((row, index) => (index === at ? row : draw(index, 1)));
  const shown = windowOf(fits ? rows : tight, at ?? 0, room);
  return { lines: shown.flat(), shown: shown.length };
}
