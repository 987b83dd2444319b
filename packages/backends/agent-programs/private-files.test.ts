import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closeToOthers } from './private-files.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-private-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('what a program left is closed to others, and what a link leads to is not touched', async () => {
  const [inside, outside] = [join(root, 'inside'), join(root, 'outside')];
  mkdirSync(join(inside, 'deep'), { recursive: true, mode: 0o755 });
  for (const path of [outside, join(inside, 'deep', 'file')]) writeFileSync(path, 'x', { mode: 0o644 });
  symlinkSync(outside, join(inside, 'link'));
  await closeToOthers(inside);
  const mode = (...path: readonly string[]): number => statSync(join(...path)).mode & 0o777;
  expect([mode(inside, 'deep'), mode(inside, 'deep', 'file'), mode(outside)]).toEqual([0o700, 0o600, 0o644]);
  await closeToOthers(join(root, 'nowhere'));
});
