import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

const WARNINGS = new URL('./warnings.ts', import.meta.url).href;

/** What a process that keeps known warnings back prints on stderr when Node warns it. */
function printed(...warning: readonly string[]): string {
  const program = `
    const { withoutKnownWarnings } = await import('${WARNINGS}');
    withoutKnownWarnings();
    process.emitWarning(...${JSON.stringify(warning)});
  `;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }).stderr;
}

describe('what Node says about itself', () => {
  test('is kept back where it is known', () => {
    const text = 'SQLite is an experimental feature and might change at any time';
    expect(printed(text, 'ExperimentalWarning')).toBe('');
  });

  test('is printed where it is not', () => {
    const text = 'Something else is an experimental feature and might change at any time';
    expect(printed(text, 'ExperimentalWarning')).toContain(`ExperimentalWarning: ${text}`);
  });
});
