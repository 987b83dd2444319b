import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { ToolContext } from '@hearth/engine/tool.ts';

/*
 * Keeps every path inside the turn's workspace. `..`, absolute paths elsewhere and links that lead out are refused, and
 * so are `.git` and `node_modules`: history is read with git_log, and installed packages are nobody's own work. A home of
 * Hearth's in the workspace is closed too: whoever writes there writes the settings of what confines them.
 */

const HIDDEN: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Whether no workspace tool enters a directory of this name, which some file systems find in any case of letters. */
export function isHidden(name: string): boolean {
  return HIDDEN.has(name.toLowerCase());
}

/** Whether a path is in a closed directory. One that the workspace itself is in is none for it. */
export function isClosed(closed: readonly string[], workspace: string, path: string): boolean {
  return closed.some(one => isIn(path, one) && !isIn(workspace, one));
}

/** Whether a path is a directory's own or leads into it; both absolute and resolved. */
export function isIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}

/** Where paths of a model are looked for, and the directories in it that are closed to them (absolute, resolved). */
export type Place = Pick<ToolContext, 'workspace' | 'closed'>;

/** A path that may be read: `path` with links resolved, `name` relative to the workspace with `/`; or why not. */
export type Confined = { readonly path: string; readonly name: string } | { readonly refused: string };

/**
 * Resolves a path of a model at which a file may be made: what is there must be confined, and so must the nearest
 * directory above that is there. A link that leads nowhere is refused. Never rejects.
 */
export async function newPlace(place: Place, wanted: string): Promise<Confined> {
  const found = await confined(place, wanted);
  const { workspace } = place;
  if (!('refused' in found) || wanted.endsWith('/')) return found;
  const parent = dirname(wanted);
  const path = isAbsolute(wanted) ? wanted : join(workspace, wanted);
  const there = await lstat(path).then(
    () => true,
    () => false,
  );
  if (there || parent === wanted || wanted.includes('\0')) return found;
  if (wanted.split(/[\\/]/).some(part => part === '..' || isHidden(part))) return found;
  const above = await newPlace(place, parent);
  if ('refused' in above) return above;
  const name = basename(wanted);
  return { path: join(above.path, name), name: above.name === '' ? name : `${above.name}/${name}` };
}

/** Resolves a path of a model against the workspace. Never rejects. */
export async function confined({ workspace, closed = [] }: Place, wanted: string): Promise<Confined> {
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
    const hidden = name.split(sep).find(isHidden);
    if (hidden !== undefined) return { refused: `"${wanted}" is inside ${hidden}, which is not read.` };
    if (isClosed(closed, root, path))
      return { refused: `"${wanted}" is inside Hearth's home, which is closed.` };
    return { path, name: name.split(sep).join('/') };
  } catch {
    return { refused: `There is no "${wanted}" in the workspace; use glob to find its name.` };
  }
}
