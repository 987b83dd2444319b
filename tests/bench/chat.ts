import { bytesIn } from './disk-use.ts';
import { type BenchHome, benchHome } from './home.ts';
import { rawAppends } from './raw.ts';
import type { Row } from './row.ts';
import { many, quantile, row } from './row.ts';

/* Whole turns with a backend that answers at once, and that they cost the same however many there were. */

async function stretch(home: BenchHome, words: string): Promise<{ p50: number; bytes: number }> {
  const before = bytesIn(home.path);
  const times = await many(100, () => home.turn(words));
  return { p50: quantile(times, 0.5), bytes: Math.max(1, bytesIn(home.path) - before) / 100 };
}

export async function chat(): Promise<readonly Row[]> {
  const home = await benchHome();
  const words = 'w'.repeat(1024);
  await many(20, () => home.turn(words));
  const early = await stretch(home, words);
  const raw = await rawAppends(100);
  await many(1800, () => home.turn(words));
  const late = await stretch(home, words);
  const kept = bytesIn(home.path);
  await home.close();
  return [
    row('a whole turn, p50', early.p50, quantile(raw, 0.5)),
    row('a whole turn at turn 1 920, against turn 20, p50', late.p50, early.p50),
    row('bytes kept per turn at turn 1 920, against turn 20', late.bytes, early.bytes, 'B'),
    row('bytes on disk after 2 020 turns of 1 KiB, against the words said', kept, 2020 * 1024, 'B'),
  ];
}
