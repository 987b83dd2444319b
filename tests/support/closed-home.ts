import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentStage } from './agent-stage.ts';

/** What stands in the files of the home that a program must not read. */
export const NEEDLE = 'needle-of-the-home';

/** Hearth's home with its token and a key, and the same words where they may be read, in a workspace that holds the home. */
export function furnished({ root, hearth }: AgentStage) {
  const [token, secret, plain] = [
    join(hearth, 'token'),
    join(hearth, 'secrets', 'A_KEY'),
    join(root, 'plain.txt'),
  ];
  mkdirSync(join(hearth, 'secrets'));
  writeFileSync(token, `${NEEDLE} token`);
  writeFileSync(secret, `${NEEDLE} secret`);
  writeFileSync(plain, `${NEEDLE} plain`);
  symlinkSync(hearth, join(root, 'link'));
  return { token, secret, plain };
}
