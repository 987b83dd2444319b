import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProgram } from './search-path.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-path-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the first that can be run is found, and nothing below a relative directory', () => {
  const [first, second] = [join(root, 'first'), join(root, 'second')];
  mkdirSync(join(first, 'agent'), { recursive: true });
  mkdirSync(second);
  writeFileSync(join(second, 'agent'), '#!/bin/sh\n');
  chmodSync(join(second, 'agent'), 0o644);
  expect(findProgram('agent', `${first}:${second}`)).toBeNull();
  chmodSync(join(second, 'agent'), 0o755);
  expect(findProgram('agent', `${first}::.:${second}`)).toBe(join(second, 'agent'));
  expect(findProgram(join(second, 'agent'), undefined)).toBe(join(second, 'agent'));
  expect(findProgram(join(second, 'none'), root)).toBeNull();
  expect(findProgram('agent', undefined)).toBeNull();
});
