import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileTyped, fileToAttach } from './attach.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-attach-')));
beforeAll(() => {
  mkdirSync(join(base, 'a dir'));
  writeFileSync(join(base, 'a dir', 'the notes.txt'), 'due');
  writeFileSync(join(base, 'b=c.txt'), 'x');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const FILE = join(base, 'a dir', 'the notes.txt');

test.each([
  ['as it is', 'a dir/the notes.txt', null],
  ['as a terminal quotes one that is dropped into it', `'${FILE}'`, null],
  ['as another does', FILE.replaceAll(' ', String.raw`\ `), null],
  ['from the home directory', `~/${relative(homedir(), FILE)}`, null],
  ['for an attachment of the bot', 'notes=a dir/the notes.txt', 'notes'],
])('a file is found where its name is typed %s', async (_how, given, as) => {
  expect(await fileTyped(base, given)).toMatchObject({ name: 'the notes.txt', as });
});

test('what is not there, or is no file, is told', async () => {
  expect((await fileToAttach(base, './b=c.txt')).name).toBe('b=c.txt');
  await expect(fileTyped(base, 'gone.txt')).rejects.toThrow('There is no file "gone.txt" to attach.');
  await expect(fileTyped(base, 'a dir')).rejects.toThrow('There is no file "a dir" to attach.');
});
