import { PassThrough } from 'node:stream';
import type { RetentionReport } from '@hearth/protocol/retention.ts';
import { expect, test } from 'vitest';
import { printReport } from './retention.ts';

const choice = { origin: 'person', updatedAt: '2026-01-01T00:00:00.000Z', bytes: 10, remove: true } as const;
const gone = {
  ...choice,
  conversation: 'c_00000000000000000000000001',
  title: 'Gone',
  reason: 'count',
  why: 'old.',
} as const;
const kept = { ...gone, conversation: 'c_00000000000000000000000002', title: 'Kept' } as const;
const report: RetentionReport = {
  at: choice.updatedAt,
  dryRun: false,
  limits: { conversations: 1, days: 1, bytes: 1 },
  trashLimits: { days: 1, bytes: 1 },
  ageSkipped: null,
  choices: [gone, kept],
  trash: [
    {
      name: 'x',
      conversation: kept.conversation,
      title: 'Old',
      bytes: 1,
      remove: true,
      reason: 'age',
      why: 'old.',
    },
  ],
  bytes: { conversations: 1, trash: 1, quarantine: 0, unreadable: 0 },
  overage: [],
  failed: ['"Kept" (c_00000000000000000000000002) stays: The disk is full.', '"Old" stays in the trash: x.'],
  kept: [kept.conversation, 'x'],
};

test('a removal that failed is told as one, with its reason, and not counted', () => {
  const stdout = new PassThrough();
  const io = {
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    interrupted: new AbortController().signal,
    interruption: { message: '' },
  };
  printReport(io, report);
  const lines = String(stdout.read()).split('\n');
  expect(lines.find(line => line.includes('Gone'))).toMatch(/^went /);
  expect(lines.find(line => line.includes('Kept: '))).toMatch(/^failed /);
  expect(lines.find(line => line.includes('Old: '))).toMatch(/^failed /);
  expect(lines).toContain('Moved 1 of 2 conversations to the trash.');
  expect(lines).toContain('"Kept" (c_00000000000000000000000002) stays: The disk is full.');
});
