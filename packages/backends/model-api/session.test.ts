import type { BackendTurn } from '@hearth/engine/backend.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, test } from 'vitest';
import type { Line } from './line.ts';
import { begun } from './session.ts';
import { Trees } from './trees.ts';

const HERE = '/backend/nexie';
const words = (text: string): Line => ({ line: 'words', text });
const recap = { turns: [{ who: 'person' as const, text: 'latest words' }] };

/** A session whose file has grown by `lines`, and how the next turn begins in it. */
async function after(lines: readonly Line[], mode: 'resume' | 'fork' = 'resume') {
  const disk = new SimDisk();
  const trees = new Trees(disk);
  const old = await trees.create(HERE, 's1', lines);
  await old.close();
  const session = { mode, id: 's1', fingerprint: 'f', strict: false, recap };
  const turn = { directory: HERE, session } as unknown as BackendTurn;
  const next = await begun(turn, { ids: countedIds() }, trees, 'f');
  if ('lost' in next) throw new Error(next.lost);
  const texts = next.transcript.lines.flatMap(line => (line.line === 'words' ? [line.text] : []));
  return { event: next.event, texts, files: await disk.list(HERE) };
}

const huge = words('x'.repeat(17 * 1024 * 1024));

test('a session whose file is too long goes on in a new one with what the model still had, and says so', async () => {
  const lines = [
    huge,
    words('kept'),
    { line: 'compacted', summary: 'SUM', from: 2, kept: 1, dropped: 1 },
  ] as const;
  const { event, texts, files } = await after(lines);
  expect(event).toMatchObject({ how: 'reseeded', degraded: expect.stringContaining('still had') });
  expect(texts).toEqual([expect.stringContaining('SUM'), 'kept']);
  expect(files).toHaveLength(2);
});

test('with the latest words only, when even that is too long', async () => {
  const { event, texts } = await after([huge]);
  expect(event).toMatchObject({ how: 'reseeded', degraded: expect.stringContaining('latest words') });
  expect(texts).toEqual([expect.stringContaining('earlier session is gone'), 'latest words']);
});

test('one that is not goes on where it is, and a fork begins in the same file', async () => {
  expect(await after([words('one')])).toMatchObject({ event: { how: 'resumed', id: 's1' }, texts: ['one'] });
  const fork = await after([words('one')], 'fork');
  expect(fork).toMatchObject({ event: { how: 'forked', id: 's1.1' }, texts: ['one'] });
  expect(fork.files).toEqual(['model-api-s1.jsonl']);
});
