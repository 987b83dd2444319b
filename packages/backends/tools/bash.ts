import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import type { Tool, ToolResult } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { refusal, shown, workspaceTool } from './workspace-tool.ts';

/*
 * Runs a command of a model in the workspace, as the user of the service and without a confinement of its own: only a
 * node that names `bash` has it. The command sees no key of the service's environment, gets no input, and is ended as a
 * whole group when its time is over, the turn is stopped, or it leaves processes behind. A process that makes a group of
 * its own is out of reach, but nobody waits for it.
 */

const SECONDS = 600;
const CHARACTERS = 30_000;
/** How long a command may take to end itself after it was asked to, in milliseconds. */
const GRACE_MS = 2000;
/** How long what a command left in its output is read after it has ended, in milliseconds. */
const REST_MS = 500;

/** Variables that may hold a secret, or that are the service's own business. */
const PRIVATE =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|(?:^|_)(?:KEY|PAT)(?:_|$)|^(?:HEARTH|ANTHROPIC|OPENAI|OLLAMA)_/i;
/** An address with a password in it, whatever its variable is called. */
const WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/** `bash`: Content: `{exit, output, errors, ended}`; `ended` says why a command did not end by itself. */
export const bash: Tool = workspaceTool({
  name: 'bash',
  description: `Runs a shell command in the workspace and gives its output. It gets no input and at most "seconds" (${SECONDS} at most); nothing that it starts goes on after it.`,
  args: z.object({
    command: z
      .string()
      .min(1)
      .max(20_000)
      .refine(command => !command.includes('\0'), 'It cannot hold a NUL character'),
    seconds: z.int().min(1).max(SECONDS).default(120),
  }),
  mutates: true,
  title: args => `run ${shown(args['command'])}`,
  run: async ({ command, seconds }, { workspace, signal }) => {
    const root = await realpath(workspace).catch(() => null);
    if (root === null) return refusal('The workspace cannot be read.');
    return await run(command, seconds * 1000, root, signal);
  },
});

function run(command: string, ms: number, cwd: string, signal: AbortSignal): Promise<ToolResult> {
  return new Promise(resolve => {
    const open = Object.entries(process.env).filter(
      ([name, value = '']) => !PRIVATE.test(name) && !WITH_PASSWORD.test(value),
    );
    const env = Object.fromEntries(open);
    // A group of its own, so that what the command starts ends with it.
    const child = spawn('bash', ['-c', command], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = new Kept();
    const errors = new Kept();
    let ended: string | null = null;
    let killer: NodeJS.Timeout | null = null;
    let rest: NodeJS.Timeout | null = null;
    const end = (why: string): void => {
      if (ended !== null) return;
      ended = why;
      signalGroup(child.pid, 'SIGTERM');
      killer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    const timer = setTimeout(() => end('its time was over'), ms);
    const stop = (): void => end('the turn was stopped');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const settle = (result: ToolResult): void => {
      clearTimeout(timer);
      if (killer !== null) clearTimeout(killer);
      if (rest !== null) clearTimeout(rest);
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
    child.once('error', () => settle(refusal('bash cannot be started here.')));
    child.once('exit', () => {
      signalGroup(child.pid, 'SIGKILL');
      // Whoever left the group may hold the output open for ever.
      rest = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, REST_MS);
    });
    child.once('close', exit => {
      const why = ended === null ? {} : { ended };
      settle({ content: { exit, output: output.text(), errors: errors.text(), ...why } });
    });
  });
}

/** Signals what is left of a group; nothing happens when nothing is. */
function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The group is gone.
  }
}

/** The beginning and the end of an output, whatever its length. */
class Kept {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #left = 0;

  add(chunk: Buffer): void {
    const room = Math.max(0, CHARACTERS / 2 - this.#head.length);
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = Buffer.concat([this.#tail, chunk.subarray(room)]);
    const over = Math.max(0, rest.length - CHARACTERS / 2);
    this.#left += over;
    this.#tail = rest.subarray(over);
  }

  text(): string {
    const gap = this.#left === 0 ? '' : `\n… ${this.#left} bytes left out …\n`;
    return this.#head.toString('utf8') + gap + this.#tail.toString('utf8');
  }
}
