import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { errorFacts, fileLog } from './log.ts';

const home = (): string => mkdtempSync(join(tmpdir(), 'hearth-log-'));

test('a line is JSON with its time, in a file of 0600', async () => {
  const path = home();
  const log = fileLog(nodeDisk, path, new SimClock());
  log.write('started', { port: 1 });
  log.write('stopped');
  await log.close();
  const file = join(path, 'logs', 'service.log');
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([{ event: 'started', port: 1 }, { event: 'stopped' }]);
  expect(lines[0]?.['at']).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('it is bounded: two files of 1 MiB', async () => {
  const path = home();
  const log = fileLog(nodeDisk, path, new SimClock());
  for (let line = 0; line < 40; line += 1) log.write('filler', { text: 'x'.repeat(100_000) });
  await log.close();
  const files = readdirSync(join(path, 'logs')).toSorted();
  expect(files).toEqual(['service.log', 'service.log.1']);
  for (const file of files) expect(statSync(join(path, 'logs', file)).size).toBeLessThanOrEqual(1024 * 1024);
});

test('a log that cannot be written fails nobody', async () => {
  const disk = { ...nodeDisk, append: () => Promise.reject(new Error('full')) };
  const log = fileLog(disk, home(), new SimClock());
  log.write('started');
  await expect(log.close()).resolves.toBeUndefined();
});

test("an error's facts tell where it came from, and not what it said", () => {
  const facts = JSON.stringify(errorFacts(new Error('words of a person')));
  expect(facts).toContain('log.test.ts');
  expect(facts).not.toContain('words of a person');
});
