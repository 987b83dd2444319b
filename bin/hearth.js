#!/usr/bin/env node
// From source Hearth runs on Node 24.2 or newer. The one that `npm ci` brought with this checkout is used where the
// machine's own is older, so that `hearth` works from any folder and any shell. The package has a launcher of its own.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const fits = major > 24 || (major === 24 && minor >= 2);
const brought = fileURLToPath(
  new URL(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url),
);

/** Whether the program runs here at all: it may be of another machine or half installed. */
function runs(program) {
  return existsSync(program) && spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Runs this same command line under another Node, and ends as it ends. */
function hand(program) {
  const child = spawn(program, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // This one only has to outlive the other. A terminal sends SIGINT to both; hearing it twice does no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', error => {
    console.error(`hearth: ${program} cannot be run (${error.message}): run "npm ci" in the checkout again.`);
    process.exit(4);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

if (fits) {
  const { main } = await import('../packages/cli/main.ts');
  await main();
} else if (runs(brought)) {
  hand(brought);
} else {
  console.error(
    `hearth: Node ${process.versions.node} is too old to run Hearth from source, and no other came with it: run "npm ci" in the checkout with install scripts allowed, or use Node 24.2 or newer.`,
  );
  process.exit(4);
}
