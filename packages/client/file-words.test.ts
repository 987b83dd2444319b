import { expect, test } from 'vitest';
import { fileWords } from './file-words.ts';

const file = (name: string, bytes: number) =>
  ({ blob: `sha256:${'0'.repeat(64)}`, bytes, name, mime: 'text/plain' }) as const;

test('files are told by name and size in one line, in which no name does anything', () => {
  expect(fileWords()).toBe('');
  expect(fileWords([file('notes.txt', 12), file('big.pdf', 3 * 1024 * 1024)])).toBe(
    'Attached: notes.txt (12 bytes), big.pdf (3 MiB)',
  );
  expect(fileWords([file('a\u001b[2Jb', 1)])).not.toContain('\u001b');
});
