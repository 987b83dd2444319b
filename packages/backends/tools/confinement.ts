import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/*
 * Keeps every path inside the turn's workspace. `..`, absolute paths elsewhere and links that lead out are refused, and
 * so are `.git` and `node_modules`: history is read with git_log, and installed packages are nobody's own work.
 */

/** Directories that no workspace tool enters. */
export const hidden: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** A path that may be read: `path` with links resolved, `name` relative to the workspace with `/`; or why not. */
export type Confined = { readonly path: string; readonly name: string } | { readonly refused: string };

/** Resolves a path of a model against the workspace. Never rejects. */
export async function confined(workspace: string, wanted: string): Promise<Confined> {
  if (wanted.includes('\0')) return { refused: 'A path cannot hold a NUL character.' };
  if (wanted.split(/[\\/]/).includes('..')) {
    return { refused: `"${wanted}" leaves the workspace; give a path inside it, without "..".` };
  }
  try {
    const root = await realpath(workspace);
    const path = await realpath(isAbsolute(wanted) ? wanted : join(root, wanted));
    const name = relative(root, path);
    if (isAbsolute(name) || name.split(sep)[0] === '..') {
      return { refused: `"${wanted}" is outside the workspace; only files inside it can be read.` };
    }
    const closed = name.split(sep).find(part => hidden.has(part));
    if (closed !== undefined) return { refused: `"${wanted}" is inside ${closed}, which is not read.` };
    return { path, name: name.split(sep).join('/') };
  } catch {
    return { refused: `There is no "${wanted}" in the workspace; use glob to find its name.` };
  }
}
