import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { ProblemError } from './problem.ts';

/** The real path of a workspace that a surface names. Throws `invalid_workspace` when it is no directory. */
export async function placeOf(workspace: string): Promise<string> {
  if (!isAbsolute(workspace)) throw invalid(workspace, 'is not an absolute path: send one');
  const info = await stat(workspace).catch(() => null);
  if (info?.isDirectory() !== true) throw invalid(workspace, 'is not a directory: name one that exists');
  return realpath(workspace);
}

function invalid(workspace: string, why: string): ProblemError {
  return new ProblemError('invalid_workspace', `The workspace "${workspace}" ${why}.`);
}
