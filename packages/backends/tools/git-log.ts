import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Tool, ToolResult } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { confined } from './confinement.ts';
import { PathText, refusal, workspaceTool } from './workspace-tool.ts';

const COMMITS = 500;
const BODY = 2000;
const FIELD = '\x1f';
const RECORD = '\x1e';

/** One commit as `git_log` tells it; `date` is RFC 3339 with the author's offset. */
export interface Commit {
  readonly hash: string;
  readonly short: string;
  readonly date: string;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
}

/** `git_log`: commits of the workspace's repository, newest first. Content: `{commits: Commit[]}`. */
export const gitLog: Tool = workspaceTool({
  name: 'git_log',
  description: `Commits of the workspace's git repository, newest first, at most ${COMMITS}. "grep" is a fixed text in the message, "since" a date, "path" a file or directory.`,
  args: z.object({
    limit: z.int().min(1).max(COMMITS).default(50),
    grep: z.string().min(1).max(200).exactOptional(),
    since: z.string().min(1).max(64).exactOptional(),
    path: PathText.exactOptional(),
  }),
  title: () => 'read the git log',
  run: async ({ limit, grep, since, path }, context) => {
    const { workspace, signal } = context;
    const place = path === undefined ? null : await confined(context, path);
    if (place !== null && 'refused' in place) return refusal(place.refused);
    const args = [
      '--no-pager',
      '--literal-pathspecs',
      'log',
      // A repository may configure a program that checks signatures; reading history must start nothing else.
      '--no-show-signature',
      '--no-color',
      `--max-count=${limit}`,
      `--format=${['%H', '%h', '%aI', '%an', '%s', '%b'].join('%x1f')}%x1e`,
      ...(grep === undefined ? [] : ['--fixed-strings', '--regexp-ignore-case', `--grep=${grep}`]),
      ...(since === undefined ? [] : [`--since=${since}`]),
      ...(place === null ? [] : ['--', place.name === '' ? '.' : place.name]),
    ];
    return await runGit(args, workspace, signal);
  },
});

async function runGit(args: readonly string[], workspace: string, signal: AbortSignal): Promise<ToolResult> {
  const root = await realpath(workspace).catch(() => null);
  if (root === null) return refusal('The workspace cannot be read.');
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  // The repository is the workspace's own: one that merely contains the workspace belongs to somebody else.
  const env = {
    ...Object.fromEntries(own),
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: '0',
    // What a repository lacks it may name a program to fetch with; reading history fetches nothing.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
  return await new Promise(resolve => {
    execFile(
      'git',
      args,
      { cwd: root, env, signal, timeout: 20_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true },
      (error, stdout, stderr) =>
        resolve(error === null ? { content: { commits: parsed(stdout) } } : explained(error, stderr)),
    );
  });
}

function parsed(stdout: string): { [key in keyof Commit]: string }[] {
  return stdout
    .split(RECORD)
    .map(record => record.trim().split(FIELD))
    .filter(fields => fields.length >= 5)
    .map(([hash = '', short = '', date = '', author = '', subject = '', body = '']) => ({
      hash,
      short,
      date,
      author,
      subject,
      body: body.trim().slice(0, BODY),
    }));
}

/** What git says, and what a model is told instead. */
const explanations: readonly { readonly says: RegExp; readonly answer: ToolResult }[] = [
  {
    says: /not a git repository/i,
    answer: refusal('The workspace is not a git repository, so it has no history to read.'),
  },
  { says: /does not have any commits yet/i, answer: { content: { commits: [] } } },
  {
    says: /dubious ownership/i,
    answer: refusal('git refuses this repository because another user owns it.'),
  },
  { says: /ENOENT/, answer: refusal('git is not installed here, so there is no history to read.') },
];

function explained(error: Error, stderr: string): ToolResult {
  const known = explanations.find(row => row.says.test(stderr) || row.says.test(error.message));
  return known?.answer ?? refusal('git could not read the history of the workspace.');
}
