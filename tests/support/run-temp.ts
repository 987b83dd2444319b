import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before a run of tests: gives it one directory for all that it makes, and takes that away behind the last test, so that
 * a test which was stopped halfway leaves nothing either. Others may pass through it, since some tests lay root's powers
 * down.
 */
export function setup(): () => void {
  const path = mkdtempSync(join(tmpdir(), 'hearth-tests-'));
  chmodSync(path, 0o755);
  process.env['TMPDIR'] = path;
  return () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
