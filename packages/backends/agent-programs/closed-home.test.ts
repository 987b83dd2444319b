import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closedHome, closedPaths, closedToSandbox, entersHome } from './closed-home.ts';

let root: string;
let home: string;
let own: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-closed-')));
  home = join(root, '.hearth');
  own = join(home, 'conversations', 'c', 'node');
  mkdirSync(own, { recursive: true });
  mkdirSync(join(home, 'workspace'));
  writeFileSync(join(home, 'token'), 'x');
  symlinkSync(home, join(root, 'link'));
});
afterEach(() => rmSync(root, { recursive: true }));

const of = async (workspace: string | null) => await closedHome(home, { workspace, directory: own });
const enters = async (workspace: string, args: JsonObject) => await entersHome(await of(workspace), args);

describe('a workspace that holds the home', () => {
  test.each([
    [{ file_path: '.hearth/token' }, true],
    [{ file_path: './a/../.hearth/new' }, true],
    [{ path: 'link' }, true],
    [{ notebook_path: 'link/conversations/other/journal' }, true],
    [{ edits: [{ filePath: 'a' }, { filePath: '.hearth' }] }, true],
    [{ file_path: 'readme.md', content: '.hearth/token' }, false],
    [{ file_path: '.hearthside/x' }, false],
    [{ pattern: '.hearth/token' }, false],
  ])('%j enters it: %j', async (args, expected) => {
    expect(await enters(root, args)).toBe(expected);
  });

  test('all of the home is closed', async () => {
    const closed = await of(root);
    expect(closed === null ? null : closedPaths(closed)).toEqual([home]);
    expect(closedToSandbox(closed)).toEqual([home]);
  });
});

test('a workspace elsewhere keeps what the program keeps for the turn', async () => {
  const elsewhere = join(root, 'work');
  mkdirSync(elsewhere);
  expect(await enters(elsewhere, { file_path: join(own, 'results.txt') })).toBe(false);
  expect(await enters(elsewhere, { file_path: join(home, 'settings.json') })).toBe(true);
  const closed = await of(elsewhere);
  expect(closed === null ? null : closedPaths(closed)).toEqual([join(home, 'token'), join(home, 'secrets')]);
  expect(closedToSandbox(closed)).toEqual([home]);
});

test('whoever works in the home works there, and reads no secret', async () => {
  const inside = join(home, 'workspace');
  expect(await enters(inside, { file_path: 'a.txt' })).toBe(false);
  expect(await enters(inside, { file_path: '../token' })).toBe(true);
  expect(closedToSandbox(await of(inside))).toEqual([join(home, 'token'), join(home, 'secrets')]);
  expect(await enters(home, { file_path: 'secrets/A_KEY' })).toBe(true);
});

test('where there is no home nothing is closed', async () => {
  const none = await closedHome(undefined, { workspace: root, directory: own });
  expect(none).toBeNull();
  expect(await entersHome(none, { file_path: join(home, 'token') })).toBe(false);
  expect(closedToSandbox(none)).toEqual([]);
});
