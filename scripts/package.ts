import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/* Packs what `npm run build` made into one file that `npm install --global` takes, and prints where it is. */

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const folder = resolve(process.argv[2] ?? fromRoot('release'));
const built = resolve(process.argv[3] ?? fromRoot('dist'));

mkdirSync(folder, { recursive: true });
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
  cwd: built,
  encoding: 'utf8',
});
console.log(`Packed ${resolve(folder, packed.trim())}`);
