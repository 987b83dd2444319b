import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkBundle } from './bots.ts';
import { placeBundle, readBundle } from './bundle.ts';

const MAIN = `schema said:
  message: string

prompt words:
  Say something.

human chat:
  output: said
  instructions: words

workflow talk:
  entry: chat
  chat -> done
`;
const HEAD = '{"is":"recording","format":1,"bot":"talk","backends":[]}\n';

function bundle(recordings: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-bundle-'));
  writeFileSync(join(directory, 'main.bot'), MAIN);
  mkdirSync(join(directory, 'recordings'));
  for (const [name, text] of Object.entries(recordings))
    writeFileSync(join(directory, 'recordings', name), text);
  return directory;
}

test('the recordings of a bundle are read by name, and are no sources of its bot', async () => {
  const files = await readBundle(placeBundle(bundle({ 'one.jsonl': HEAD, 'notes.txt': 'x' })));
  expect(Object.keys(files.recordings)).toEqual(['one']);
  expect(Object.keys(files.sources)).toEqual(['main.bot']);
});

test('a recording that cannot be read is told with its line', async () => {
  const found = await checkBundle(bundle({ 'one.jsonl': HEAD, 'two.jsonl': `${HEAD}rubbish\n` }));
  const errors = found.filter(one => one.severity === 'error');
  expect(errors).toMatchObject([{ code: 'H208', file: 'recordings/two.jsonl', at: { line: 2, column: 1 } }]);
  expect(errors[0]?.message).toContain('it is no JSON');
});
