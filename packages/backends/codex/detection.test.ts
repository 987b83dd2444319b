import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Detection } from './detection.ts';

/** It leaves something in its home whatever it is asked, as the real one does, and speaks no protocol. */
const PROGRAM = `#!/bin/sh
mkdir -p "\${CODEX_HOME:-$HOME/.codex}/tmp/arg0" && echo "codex-cli 0.169.0"
`;

const before = { HOME: process.env['HOME'], CODEX_HOME: process.env['CODEX_HOME'] };
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  for (const name of ['bin', 'person']) mkdirSync(join(root, name));
  process.env['HOME'] = join(root, 'person');
});
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(root, { recursive: true });
});

test.each([[undefined], ['theirs']])(
  "looking leaves nothing in the person's home (CODEX_HOME=%s)",
  async own => {
    if (own === undefined) delete process.env['CODEX_HOME'];
    else process.env['CODEX_HOME'] = join(root, own);
    const program = join(root, 'bin', 'codex');
    writeFileSync(program, PROGRAM, { mode: 0o755 });
    const env = { HOME: join(root, 'person'), HEARTH_CODEX: program, PATH: process.env['PATH'] };
    const found = await new Detection({ env, clock: new SimClock() }).detect();
    expect(found).toMatchObject({ usable: false, version: '0.169.0' });
    expect(readdirSync(join(root, 'person'))).toEqual([]);
    expect(existsSync(join(root, 'theirs'))).toBe(false);
  },
);
