import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRecording, printRecording, type Recording } from '@hearth/backends/replay/recording.ts';
import { BundleBots } from '@hearth/service/bots.ts';
import { compare, type Difference } from '@hearth/service/replay/comparison.ts';
import { play } from '@hearth/service/replay/player.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { beforeAll, expect, test } from 'vitest';

/*
 * The recording of the bundle, which goes through both reviews with a revision, a change and a question for data. With
 * HEARTH_UPDATE=1 it is written anew from what is played, for whoever changed a prompt on purpose.
 */

const FILE = join(
  import.meta.dirname,
  '..',
  '..',
  'bots',
  'confirm-first',
  'recordings',
  'both-reviewed.jsonl',
);

let recording: Recording;
let played: Awaited<ReturnType<typeof play>>;
beforeAll(async () => {
  const parsed = parseRecording(readFileSync(FILE, 'utf8'));
  if (parsed.recording === null) throw new Error(`${parsed.fault.line}: ${parsed.fault.why}`);
  ({ recording } = parsed);
  const bot = await new BundleBots().load('confirm-first');
  played = await play({ bot, recording, tools: [], disk: nodeDisk, clock: systemClock, ids: systemIds });
  if (process.env['HEARTH_UPDATE'] !== '1') return;
  recording = { ...recording, steps: played.steps };
  writeFileSync(FILE, printRecording(recording));
});

function differences(before: Recording): readonly Difference[] {
  return compare(before.steps, played.steps, played.stopped);
}

test('it goes the same way, and every call is told the same, byte for byte', () => {
  expect(differences(recording)).toEqual([]);
  const told = recording.steps.filter(step => step.is === 'session' && step.projection !== undefined);
  expect(told.length).toBe(8);
});

test('a call that is told one character more is found', () => {
  const steps = recording.steps.map(step =>
    step.is === 'session' && step.effect === 7 ? { ...step, projection: 'sha256:another' } : step,
  );
  expect(differences({ ...recording, steps })).toEqual([
    { what: 'words', message: 1, text: 'What turn 7 is told is no longer what was recorded.' },
  ]);
});
