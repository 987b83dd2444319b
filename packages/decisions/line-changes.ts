import type { ArtifactChanges, LineChange } from '@hearth/protocol/artifact.ts';

/*
 * What changed from one text to another, line by line, for reading beside the whole of the new one. The smallest change is
 * found where that is affordable; texts that differ in very many lines are told as one taken out and one put in.
 */

/** Pairs of lines that are compared at most, once what is the same at both ends is set aside. */
const PAIRS = 1_000_000;
/** Lines that are the same and are told around each change. */
const CONTEXT = 2;

type Told = Exclude<LineChange, { is: 'left' }>;

/** What changed from `before`, which is version `since`, to `after`. */
export function changesBetween(since: number, before: string, after: string): ArtifactChanges {
  const old = before.split('\n');
  const now = after.split('\n');
  const head = commonHead(old, now);
  const tail = commonHead(old.slice(head).reverse(), now.slice(head).reverse());
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  const all: Told[] = [
    ...now.slice(0, head).map(same),
    ...middle(gone, come),
    ...now.slice(now.length - tail).map(same),
  ];
  const count = (is: Told['is']): number => all.filter(line => line.is === is).length;
  return { since, added: count('added'), removed: count('removed'), lines: nearChanges(all) };
}

function commonHead(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

const same = (text: string): Told => ({ is: 'same', text });
const added = (text: string): Told => ({ is: 'added', text });
const removed = (text: string): Told => ({ is: 'removed', text });

/** The longest common subsequence, walked from the front. */
function middle(old: readonly string[], now: readonly string[]): Told[] {
  if (old.length * now.length > PAIRS) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const told: Told[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const before = old[i];
    const after = now[j];
    if (before !== undefined && before === after) {
      told.push(same(before));
      i++;
      j++;
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      told.push(removed(before));
      i++;
    } else if (after !== undefined) {
      told.push(added(after));
      j++;
    }
  }
  return told;
}

/** Leaves out what is the same and far from any change. */
function nearChanges(all: readonly Told[]): LineChange[] {
  const near = new Uint8Array(all.length);
  all.forEach((line, at) => {
    if (line.is !== 'same') near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const lines: LineChange[] = [];
  let left = 0;
  const flush = (): void => {
    if (left > 0) lines.push({ is: 'left', lines: left });
    left = 0;
  };
  all.forEach((line, at) => {
    if (near[at] === 1) {
      flush();
      lines.push(line);
    } else left++;
  });
  flush();
  return lines;
}
