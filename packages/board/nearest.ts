/*
 * Which of the known words was probably meant. Pure; used only for suggestions in error texts, never to guess on
 * someone's behalf.
 */

/** Edits (insert, remove, replace, swap of neighbours) that turn `a` into `b`. */
export function distance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The known word nearest to `word`, or `null` when none is near enough to be a slip of the pen. */
export function nearest(word: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .map(candidate => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate ?? null;
}
