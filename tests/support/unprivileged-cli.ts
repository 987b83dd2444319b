/* Runs one `hearth` command without root's powers. Everything is loaded before they go, since others may not read it. */
import { COMMANDS } from '@hearth/cli/commands.ts';
import { run } from '@hearth/cli/main.ts';

const words = process.argv.slice(2);
await COMMANDS.find(row => row.name === words[0])?.load();
await import('@hearth/cli/errors.ts');
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65534);
  process.setuid?.(65534);
}
process.exitCode = await run(words, {
  env: process.env,
  cwd: '/',
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: new AbortController().signal,
  interruption: { message: 'Interrupted.' },
});
