import type { RunOptions } from './run.ts';

/** Where the turn under way works. */
export function workspaceOf({
  drive,
  fallbackWorkspace,
}: Pick<RunOptions, 'drive' | 'fallbackWorkspace'>): string {
  const { turn, workspace } = drive.state.machine;
  return turn?.workspace ?? workspace ?? fallbackWorkspace;
}
