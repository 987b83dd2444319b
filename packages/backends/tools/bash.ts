import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool, ToolResult } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { Kept } from './kept.ts';
import { leavingNoTurn } from './git-turns.ts';
import { inRoom, offersNamespaces, reachIn } from './namespaces.ts';
import { openEnvironment, runProcess } from './process.ts';
import { refusal, shown, workspaceTool } from './workspace-tool.ts';

/*
 * Runs a command of a model in the workspace, in namespaces of its own (docs/adr/0066). Where the system offers none, it is
 * off unless a person allows it to run as the user of the service.
 */

const SECONDS = 600;
const CHARACTERS = 30_000;
/** Why a command did not end by itself, in words for a model. */
const WHY = { time: 'its time was over', stopped: 'the turn was stopped' } as const;

/** `bash`: Content: `{exit, output, errors, ended}`; `ended` says why a command did not end by itself. */
export const bash: Tool = workspaceTool({
  name: 'bash',
  description: `Runs a shell command in the workspace and gives its output. It sees nothing else of the person's files and usually has no network. It gets no input and at most "seconds" (${SECONDS} at most); nothing that it starts goes on after it.`,
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
  run: async ({ command, seconds }, { workspace, board, closed, signal }) => {
    const root = await realpath(workspace).catch(() => null);
    if (root === null) return refusal('The workspace cannot be read.');
    const words = ['bash', '-c', command] as const;
    const reach = reachIn(process.env);
    if (reach === 'open') return await run(words, seconds * 1000, root, signal);
    if (!(await offersNamespaces())) return refusal(NO_NAMESPACES);
    const git = await repositoryOf(root, board);
    const room = { workspace: root, git, network: reach === 'network', hidden: closed?.[0] ?? null };
    const argv = inRoom(room, words, openEnvironment()['PATH'] ?? '');
    const repositories = [join(root, '.git'), ...(git === null ? [] : [git])];
    return await leavingNoTurn(repositories, () => run(argv, seconds * 1000, root, signal));
  },
});

/** Why there is no bash, for a model and for the person who reads along. */
const NO_NAMESPACES =
  'This system offers no namespaces to keep a command inside the workspace, so bash is off. Only the person can allow it to run without: HEARTH_BASH=open in the environment of the service.';

/** The repository's own directory, which in a worktree is beside the workspace that it is of. */
async function repositoryOf(workspace: string, board: string | undefined): Promise<string | null> {
  if (board === undefined || board === workspace) return null;
  const git = join(board, '.git');
  const found = await stat(git).catch(() => null);
  return found?.isDirectory() === true ? git : null;
}

async function run(
  argv: readonly [string, ...string[]],
  ms: number,
  cwd: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const output = new Kept(CHARACTERS);
  const errors = new Kept(CHARACTERS);
  const ended = await runProcess({
    argv,
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
