import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

/** The longest that one command may take, in milliseconds; a large checkout takes minutes. */
const MS = 10 * 60_000;

/** A git command that ended badly; its message is what git said. */
export class GitError extends Error {
  constructor(said: string, options?: ErrorOptions) {
    super(said, options);
    this.name = 'GitError';
  }
}

/**
 * Runs git in a directory, whose repository is that of this very directory: one that merely contains it belongs to
 * somebody else. No hook of the repository is run. Resolves to what it printed, without the last line's end; rejects with
 * `GitError`.
 */
export function git(directory: string, ...args: readonly string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = {
    ...Object.fromEntries(own),
    GIT_CEILING_DIRECTORIES: dirname(directory),
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
  const all = ['--no-pager', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args];
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      all,
      { cwd: directory, env, timeout: MS, maxBuffer: 64 * 1024 * 1024 },
      (error, out, errors) => {
        if (error === null) resolve(out.replace(/\n$/, ''));
        else reject(new GitError(errors.trim() || error.message, { cause: error }));
      },
    );
  });
}
