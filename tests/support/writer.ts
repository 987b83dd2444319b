import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDirectory } from './temp.ts';

/** A bundle of a chat bot that may write files and is asked about each, but for those that begin with "secret". */
export function writerBundle(): string {
  const root = join(tempDirectory('bundle'), 'writer');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'manifest.yaml'), 'name: writer\ndescription: Writes.\n');
  const hello = readFileSync(new URL('../../bots/hello/main.bot', import.meta.url), 'utf8');
  const session = '  session: inherit_if_available\n';
  const gate = '  tools: [write_file]\n  permission: ask\n  deny: ["Write(secret*)"]\n';
  const main = hello.replaceAll(/\bhello\b/g, 'writer').replace(session, `${session}${gate}`);
  writeFileSync(join(root, 'main.bot'), `dsl: 2\n\n${main}`);
  return root;
}
