import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDirectory } from './temp.ts';

/** A bundle of a chat bot whose questions are answered in that way: `human`, `llm`, `async`. */
export function askerBundle(interaction: string): string {
  const root = join(tempDirectory('bundle'), 'asker');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'manifest.yaml'), 'name: asker\ndescription: Asks.\n');
  const hello = readFileSync(new URL('../../bots/hello/main.bot', import.meta.url), 'utf8');
  const main = hello
    .replaceAll(/\bhello\b/g, 'asker')
    .replace(
      '  session: inherit_if_available\n',
      `  session: inherit_if_available\n  interaction: ${interaction}\n`,
    );
  writeFileSync(join(root, 'main.bot'), `dsl: 2\n\n${main}`);
  return root;
}
