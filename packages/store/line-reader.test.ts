import { describe, expect, it } from 'vitest';
import { BLOCK, lastLineEnd, linesBefore, linesFrom, type RawLine } from './line-reader.ts';
import { SimDisk } from './sim-disk.ts';

const PATH = '/lines';

async function fileOf(content: string): Promise<SimDisk> {
  const disk = new SimDisk();
  await disk.write(PATH, new TextEncoder().encode(content));
  return disk;
}

async function all(lines: AsyncGenerator<RawLine>): Promise<[number, number, number][]> {
  const found: [number, number, number][] = [];
  for await (const { at, end, bytes } of lines) found.push([at, end, bytes.length]);
  return found;
}

/** What both readers must find: start, start of the next, length. */
function expected(lengths: readonly number[]): [number, number, number][] {
  let at = 0;
  return lengths.map(length => [at, (at += length + 1), length]);
}

describe.each([
  ['an empty line', [0]],
  ['a newline as the first byte of a block from the end', [1, BLOCK - 2]],
  ['a newline as the last byte of a block', [BLOCK - 1, 5]],
  ['a line that fills a block', [3, BLOCK - 1, BLOCK - 1, 3]],
  ['empty lines around a block’s edge', [BLOCK - 3, 0, 0, 0, 0, BLOCK - 3, 0]],
  ['lines of many blocks', [2, 5 * BLOCK, 0, 5 * BLOCK + 1, 2]],
])('%s', (_, lengths) => {
  const content = lengths.map(length => `${'x'.repeat(length)}\n`).join('');

  it('is read the same from either end, with or without a torn line after it', async () => {
    for (const torn of ['', 'y', 'y'.repeat(2 * BLOCK)]) {
      const disk = await fileOf(content + torn);
      const size = content.length + torn.length;
      expect(await all(linesFrom(disk, PATH, 0, size))).toEqual(expected(lengths));
      expect(await all(linesBefore(disk, PATH, 0, size))).toEqual(expected(lengths).reverse());
      expect(await lastLineEnd(disk, PATH, 0, size)).toBe(content.length);
    }
  });

  it('is read from a later start on', async () => {
    const disk = await fileOf(content);
    const rest = expected(lengths).slice(1);
    const start = expected(lengths)[0]?.[1] ?? 0;
    expect(await all(linesFrom(disk, PATH, start, content.length))).toEqual(rest);
    expect(await all(linesBefore(disk, PATH, start, content.length))).toEqual(rest.reverse());
  });
});

it('a file without a newline has no line', async () => {
  const disk = await fileOf('x'.repeat(BLOCK + 1));
  expect(await all(linesFrom(disk, PATH, 0, BLOCK + 1))).toEqual([]);
  expect(await all(linesBefore(disk, PATH, 0, BLOCK + 1))).toEqual([]);
  expect(await lastLineEnd(disk, PATH, 0, BLOCK + 1)).toBe(0);
});
