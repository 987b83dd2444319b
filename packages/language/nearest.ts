/** Bounds that keep a hopeless source cheap: nobody mistypes a longer name, or picks from more. */
const LONGEST = 64;
const MOST = 500;
const SHOWN = 12;

/** Suggests the name that was probably meant, as the text of a fix. */
export function didYouMean(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > LONGEST) return undefined;
  const bound = Math.max(1, Math.floor(wrong.length / 3));
  let best: string | undefined;
  let least = bound + 1;
  let left = MOST;
  for (const name of names) {
    if (left === 0) break;
    left -= 1;
    const distance = Math.abs(name.length - wrong.length) > bound ? least : edits(wrong, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best === undefined ? undefined : `did you mean \`${best}\`?`;
}

/** A few names in a row, for a sentence: a list of thousands helps nobody. */
export function some(names: Iterable<string>): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length === SHOWN) return `${shown.join(', ')} and more`;
    shown.push(name);
  }
  return shown.join(', ');
}

/** The number of inserted, removed, changed or swapped characters between two names. */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      next.push(cost);
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? 0;
}
