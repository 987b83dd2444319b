import { realpath } from 'node:fs/promises';
import type { Tool, ToolResult } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { Kept } from './kept.ts';
import { runProcess } from './process.ts';
import { refusal, shown, workspaceTool } from './workspace-tool.ts';

/*
 * Runs a command of a model in the workspace, as the user of the service and without a confinement of its own: only a
 * node that names `bash` has it.
 */

const SECONDS = 600;
const CHARACTERS = 30_000;
/** Why a command did not end by itself, in words for a model. */
const WHY = { time: 'its time was over', stopped: 'the turn was stopped' } as const;

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

async function run(command: string, ms: number, cwd: string, signal: AbortSignal): Promise<ToolResult> {
  const output = new Kept(CHARACTERS);
  const errors = new Kept(CHARACTERS);
  const ended = await runProcess({
    argv: ['bash', '-c', command],
    cwd,
    ms,
    signal,
    onOutput: chunk => output.add(chunk),
    onErrors: chunk => errors.add(chunk),
  });
  if (ended === null) return refusal('bash cannot be started here.');
  const why = ended.why === null ? {} : { ended: WHY[ended.why] };
  return { content: { exit: ended.exit, output: output.text(), errors: errors.text(), ...why } };
}
