import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

let home = '';
let code = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hearth-code-'));
  code = join(home, 'code');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A start in a process of its own, since what a process uses it uses for life. A command uses it and keeps nothing. */
function start(keeps = true): void {
  const own = fileURLToPath(new URL('./compiled-code.ts', import.meta.url));
  const text = `const { useCompiled, keepCompiled } = await import(${JSON.stringify(own)});
    useCompiled(process.argv[1]);
    await import(${JSON.stringify(fileURLToPath(new URL('./home-path.ts', import.meta.url)))});
    if (${keeps}) keepCompiled(process.argv[1]);`;
  const { NODE_COMPILE_CACHE: _none, NODE_DISABLE_COMPILE_CACHE: _neither, ...env } = process.env;
  execFileSync(process.execPath, ['--input-type=module', '-e', text, home], { env, stdio: 'inherit' });
}

it('is kept from the second start on, for its owner alone', () => {
  start();
  expect(readdirSync(code)).toEqual([]);
  start();
  const [version = ''] = readdirSync(code);
  expect(readdirSync(join(code, version)).length).toBeGreaterThan(0);
  for (const path of [code, join(code, version)]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('is its owner’s alone also where a command was the first to use it', () => {
  start();
  start(false);
  const versions = readdirSync(code);
  expect(versions).toHaveLength(1);
  for (const version of versions) expect(statSync(join(code, version)).mode & 0o777).toBe(0o700);
});

it('is not used where somebody else may have written it', () => {
  const elsewhere = join(home, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, code);
  start();
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(code);
  mkdirSync(code);
  chmodSync(code, 0o770);
  start();
  expect(readdirSync(code)).toEqual([]);
});

it('is left away where it cannot be', () => {
  chmodSync(home, 0o755);
  start();
  expect(existsSync(code)).toBe(false);
});
