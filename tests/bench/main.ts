/*
 * Speed, as ratios within one run. A figure alone says little about a machine that does other things too; beside its
 * floor, measured in the same minute on the same disk, it says what Hearth adds.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchHome, benchHome, send } from './home.ts';
import { compileTimes } from './language.ts';

interface Figure {
  readonly figure: string;
  readonly ours: string;
  readonly beside: string;
  readonly ratio: string;
}

const figures: Figure[] = [];
const ms = (value: number): string => `${value.toFixed(2)} ms`;
const us = (value: number): string => `${(value * 1000).toFixed(1)} µs`;
const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;

function compare(figure: string, ours: number, floor: number, beside: string, show = ms): void {
  figures.push({
    figure,
    ours: show(ours),
    beside: `${show(floor)} ${beside}`,
    ratio: (ours / floor).toFixed(2),
  });
}

async function timed(work: () => Promise<void> | void): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function many(count: number, work: () => Promise<void> | void): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push(await timed(work));
  return times;
}

/** Bytes of everything below a path. */
function bytesIn(path: string): number {
  const info = statSync(path);
  return info.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
    : info.size;
}

async function rawAppends(count: number): Promise<number[]> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-raw-'));
  const file = openSync(join(directory, 'log'), 'a');
  const line = `${'x'.repeat(600)}\n`;
  const times = await many(count, () => {
    writeSync(file, line);
    fdatasyncSync(file);
  });
  closeSync(file);
  rmSync(directory, { recursive: true });
  return times;
}

async function accepting(): Promise<void> {
  const home = await benchHome();
  await home.turn('warm up');
  const raw = await rawAppends(300);
  const ours = await many(300, () => send(home.lane, 'a message that waits or starts a turn'));
  compare('accept a message durably, p50', quantile(ours, 0.5), quantile(raw, 0.5), 'raw append + fdatasync');
  compare(
    'accept a message durably, p99',
    quantile(ours, 0.99),
    quantile(raw, 0.99),
    'raw append + fdatasync',
  );
  await home.close();
}

async function turnsAndGrowth(): Promise<void> {
  const home = await benchHome();
  const words = 'w'.repeat(1024);
  await many(20, () => home.turn(words));
  const early = await window(home, words, 100);
  const raw = await rawAppends(100);
  await many(1800, () => home.turn(words));
  const late = await window(home, words, 100);
  compare('a whole turn, p50', quantile(early.times, 0.5), quantile(raw, 0.5), 'raw append + fdatasync');
  compare(
    'a whole turn at turn 1 920, p50',
    quantile(late.times, 0.5),
    quantile(early.times, 0.5),
    'at turn 20',
  );
  const show = (value: number): string => `${Math.round(value)} B`;
  compare('bytes kept per turn at turn 1 920', late.bytes, early.bytes, 'at turn 20', show);
  compare('bytes on disk after 2 020 turns of 1 KiB', bytesIn(home.path), 2020 * 1024, 'words said', show);
  await home.close();
}

async function window(
  home: BenchHome,
  words: string,
  count: number,
): Promise<{ times: number[]; bytes: number }> {
  const before = bytesIn(home.path);
  const times = await many(count, () => home.turn(words));
  return { times, bytes: Math.max(1, bytesIn(home.path) - before) / count };
}

function compiling(): void {
  const [one, ...more] = compileTimes();
  if (one === undefined) return;
  compare(`compile ${one.lines} lines, warm, p50`, one.ms, 20, 'wanted at most');
  for (const { lines, ms: time } of more) {
    compare(
      `compile ${lines} lines, for each of them`,
      time / lines,
      one.ms / one.lines,
      `of ${one.lines}`,
      us,
    );
  }
}

async function starting(): Promise<void> {
  const launcher = fileURLToPath(new URL('../../bin/hearth.js', import.meta.url));
  const node = (...args: string[]) =>
    many(7, () => void execFileSync(process.execPath, args, { stdio: 'ignore' }));
  const ours = await node(launcher, '--version');
  const floor = await node('-e', '0');
  compare('hearth --version, p50', quantile(ours, 0.5), quantile(floor, 0.5), 'node -e 0');
}

await accepting();
await turnsAndGrowth();
compiling();
await starting();
console.table(figures);
