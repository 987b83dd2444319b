import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Line } from './line.ts';
import type { Transcript } from './transcript.ts';
import { Trees } from './trees.ts';

const HERE = '/backend/nexie';
const FILE = `${HERE}/model-api-s1.jsonl`;
const words = (text: string): Line => ({ line: 'words', text });

const opened = (disk: SimDisk, place: string, session: string) => new Trees(disk).open(place, session);

async function written(disk: SimDisk, ...texts: readonly string[]): Promise<void> {
  const transcript = await new Trees(disk).create(HERE, 's1', [words('seed')]);
  for (const text of texts) await transcript.append([words(text)]);
  await transcript.close();
}

const textsOf = (transcript: Transcript | null) =>
  transcript?.lines.flatMap(line => (line.line === 'words' ? [line.text] : [])) ?? null;

test('what was appended is there when the file is opened again, whatever the words', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 30 }).map(text => text.toWellFormed())),
      async texts => {
        const disk = new SimDisk();
        await written(disk, ...texts);
        expect(textsOf(await opened(disk, HERE, 's1'))).toEqual(['seed', ...texts]);
      },
    ),
    { numRuns: 30 },
  );
});

test('a last line that is torn anywhere is cut, and appending goes on', async () => {
  const disk = new SimDisk();
  await written(disk, 'one', 'two');
  const bytes = (await disk.read(FILE)) ?? new Uint8Array();
  const start = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  for (let end = start; end < bytes.length; end += 1) {
    await disk.write(FILE, bytes.subarray(0, end));
    const transcript = await opened(disk, HERE, 's1');
    expect(textsOf(transcript)).toEqual(['seed', 'one']);
    await transcript?.append([words('three')]);
    await transcript?.close();
    expect(textsOf(await opened(disk, HERE, 's1'))).toEqual(['seed', 'one', 'three']);
  }
});

describe('no session', () => {
  test.each([
    ['that never was', 's2'],
    ['whose id leads elsewhere', '../nexie/model-api-s1'],
    ['without an id', ''],
  ])('%s', async (_, id) => {
    const disk = new SimDisk();
    await written(disk);
    expect(await opened(disk, HERE, id)).toBeNull();
  });
  test.each([
    ['with a damaged line', (text: string) => text.replace('"words"', '"worms"')],
    ['under the name of another', (text: string) => text.replaceAll('"s1"', '"s9"')],
    ['that is empty', () => ''],
    ['of a later format', (text: string) => text.replace('"format":2', '"format":3')],
    [
      'whose entry follows one that is not there yet',
      (text: string) => text.replace('"parent":0', '"parent":9'),
    ],
    ['with a line taken out of it', (text: string) => text.replace(/\{"id":1,.*\n/, '')],
  ])('%s; and its file is left as it is', async (_, damage) => {
    const disk = new SimDisk();
    await written(disk, 'one');
    const text = damage(new TextDecoder().decode((await disk.read(FILE)) ?? undefined));
    await disk.write(FILE, new TextEncoder().encode(text));
    expect(await opened(disk, HERE, 's1')).toBeNull();
    expect(new TextDecoder().decode((await disk.read(FILE)) ?? undefined)).toBe(text);
  });
});

test('a session that another node began is taken up where it is', async () => {
  const disk = new SimDisk();
  await written(disk, 'one');
  const elsewhere = await opened(disk, '/backend/other', 's1');
  await elsewhere?.append([words('two')]);
  await elsewhere?.close();
  expect(textsOf(await opened(disk, HERE, 's1'))).toEqual(['seed', 'one', 'two']);
  expect(await disk.list('/backend')).toEqual(['nexie']);
});

test('a crash at any call of the disk loses nothing that append had resolved for', async () => {
  const texts = ['one', 'two', 'three'];
  const { cases } = await enumerateCrashes({
    setup: disk => disk.makeDirectory(HERE),
    progress: () => ({ made: false, appended: 0 }),
    act: async (disk, progress) => {
      const transcript = await new Trees(disk).create(HERE, 's1', [words('seed')]);
      progress.made = true;
      for (const text of texts) {
        await transcript.append([words(text)]);
        progress.appended += 1;
      }
      await transcript.close();
    },
    check: async (disk, progress) => {
      const found = textsOf(await opened(disk, HERE, 's1'));
      if (!progress.made && found === null) return;
      expect(found).toEqual(['seed', ...texts].slice(0, found?.length ?? 0));
      expect(found?.length).toBeGreaterThanOrEqual(progress.appended + 1);
    },
  });
  expect(cases).toBeGreaterThan(20);
});
