import { appendFileSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { LogReader } from './log-reader.ts';

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hearth-reader-'));
  mkdirSync(join(home, 'logs'));
  path = join(home, 'logs', 'service.log');
});

test('there is nothing to read where no service was', async () => {
  expect(await new LogReader(home).last(10)).toBeNull();
});

test('the last lines come from both files, and only whole ones', async () => {
  writeFileSync(`${path}.1`, 'one\ntwo\n');
  writeFileSync(path, 'three\nfo');
  const reader = new LogReader(home);
  expect(await reader.last(2)).toEqual(['two', 'three']);
  expect(await reader.last(0)).toEqual([]);
  appendFileSync(path, 'ur\n');
  expect([await reader.more(), await reader.more()]).toEqual([['four'], []]);
});

test('what follows is told once, also when the log is moved away between two looks', async () => {
  writeFileSync(path, 'one\n');
  const reader = new LogReader(home);
  await reader.last(10);
  appendFileSync(path, 'two\n');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'three\n');
  expect(await reader.more()).toEqual(['two', 'three']);
  appendFileSync(path, 'four\n');
  expect(await reader.more()).toEqual(['four']);
});

test('a log that begins later is followed too', async () => {
  const reader = new LogReader(home);
  await reader.last(10);
  writeFileSync(path, 'one\n');
  expect(await reader.more()).toEqual(['one']);
});
