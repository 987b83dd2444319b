import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Hearth, LAUNCHER } from '../support/hearth.ts';
import { packedLauncher } from '../support/packed.ts';
import { makeProject } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';
import { Tmux } from '../support/tmux.ts';

/* A console that finds a service of another version: a real one of each, and a real terminal. */

const OTHER = '0.0.9';
let other = '';
const terminals: Tmux[] = [];
const homes: Hearth[] = [];

beforeAll(async () => {
  const packed = dirname(dirname(await packedLauncher()));
  const place = join(tempDirectory('other'), 'hearth');
  cpSync(packed, place, { recursive: true });
  const manifest = join(place, 'package.json');
  const { version, ...rest } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  expect(version).not.toBe(OTHER);
  writeFileSync(manifest, JSON.stringify({ ...rest, version: OTHER }));
  other = join(place, 'bin/hearth.js');
}, 180_000);
afterEach(async () => {
  for (const terminal of terminals.splice(0)) terminal.end();
  for (const hearth of homes.splice(0)) await hearth.stop();
});
afterAll(removeTemps);

/** A home with words in it whose service is of another version, and a console of this one on it. */
async function met(): Promise<{ hearth: Hearth; terminal: Tmux }> {
  const hearth = new Hearth(tempDirectory('home'), makeProject());
  homes.push(hearth);
  const before = new Hearth(hearth.home, hearth.cwd, {}, other);
  expect(await before.run(['send', 'words of before'])).toMatchObject({ code: 0 });
  expect(serviceOf(hearth).version).toBe(OTHER);
  const terminal = new Tmux(
    `update-${randomUUID().slice(0, 8)}`,
    { columns: 110, rows: 40 },
    [process.execPath, LAUNCHER],
    { cwd: hearth.cwd, env: hearth.env },
  );
  terminals.push(terminal);
  await terminal.shows(`is Hearth ${OTHER} and this is Hearth`);
  await terminal.shows('Restart it now?');
  return { hearth, terminal };
}

function serviceOf(hearth: Hearth): { version: string; pid: number } {
  return JSON.parse(readFileSync(join(hearth.home, 'service.json'), 'utf8'));
}

/** Whether the process runs; one that nobody has collected yet does not. */
function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

it('restarts it on a yes and opens, with all that was said', { timeout: 180_000 }, async () => {
  const { hearth, terminal } = await met();
  const { pid } = serviceOf(hearth);
  terminal.type('y');
  terminal.press('Enter');
  await terminal.shows('words of before');
  await terminal.shows('idle');
  expect(serviceOf(hearth).version).not.toBe(OTHER);
  expect(serviceOf(hearth).pid).not.toBe(pid);
  // It gives its home up first and is gone a moment later.
  await expect.poll(() => lives(pid)).toBe(false);
  terminal.type('words of now');
  terminal.press('Enter');
  await terminal.shows(/you\s+words of now/);
  terminal.type('/quit');
  terminal.press('Enter');
  await terminal.shows('exit=0');
});

it('leaves it as it is without one, and says what to run', { timeout: 180_000 }, async () => {
  const { hearth, terminal } = await met();
  const { pid } = serviceOf(hearth);
  terminal.press('Enter');
  await terminal.shows(/run "hearth restart"[\s\S]*exit=4/);
  expect(serviceOf(hearth)).toMatchObject({ version: OTHER, pid });
});
