import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce, ROOT } from './product.ts';

const run = promisify(execFile);

/** Where `npm run build` put the package for these sources. It is for all: whoever changes something in it takes a copy. */
export function builtPackage(): Promise<string> {
  return madeOnce('built', async out => {
    await run(process.execPath, [join(ROOT, 'scripts/build.ts'), out]);
  });
}

/** The file that `npm run package` makes of it, alone in its directory. */
export async function releasedFile(): Promise<string> {
  const directory = await madeOnce('released', async out => {
    await run(process.execPath, [join(ROOT, 'scripts/package.ts'), out, await builtPackage()]);
  });
  return join(directory, readdirSync(directory)[0] ?? '');
}
