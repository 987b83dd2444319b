import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import { isIn } from '../tools/confinement.ts';

/*
 * Hearth's own home, as the tools of somebody else's program meet it: it holds the token of the service, the person's keys,
 * and every other conversation. Whoever works in a workspace that lies in the home keeps that workspace, and a program what
 * it keeps in the turn's directory. Paths are looked up on the real disk, since it is there that the program would open them.
 */

/** What of a home holds secrets: closed to whoever works in it too. */
const SECRETS: readonly string[] = ['token', 'secrets'];

/** The home and where a turn works beside it; all absolute and resolved. */
export interface ClosedHome {
  readonly home: string;
  readonly workspace: string;
  /** Where the turn's own files are, which are in the home. */
  readonly own: string;
  /** Whether the workspace holds the home, so that what keeps a program in its workspace does not keep it from the home. */
  readonly within: boolean;
}

/** The home of a service that has one, for a turn. Never rejects. */
export async function closedHome(
  home: string | undefined,
  turn: Pick<BackendTurn, 'workspace' | 'directory'>,
): Promise<ClosedHome | null> {
  if (home === undefined) return null;
  const [own, workspace] = await Promise.all([
    resolved(turn.directory),
    resolved(turn.workspace ?? turn.directory),
  ]);
  return { home, workspace, own, within: isIn(home, workspace) && home !== workspace };
}

/** The directories and files that are closed by their paths. */
export function closedPaths({ home, within }: ClosedHome): readonly string[] {
  return within ? [home] : SECRETS.map(name => join(home, name));
}

/** What a sandbox that can read the whole machine is kept from: all of the home, save where the turn works in it. */
export function closedToSandbox(closed: ClosedHome | null): readonly string[] {
  if (closed === null) return [];
  return isIn(closed.workspace, closed.home) ? closedPaths(closed) : [closed.home];
}

/** Whether a call of a file tool names a path in the home. Never rejects. */
export async function entersHome(closed: ClosedHome | null, args: JsonObject): Promise<boolean> {
  if (closed === null) return false;
  const { home, workspace, own } = closed;
  for (const text of pathsIn(args)) {
    const path = await resolved(placed(text, workspace));
    if (closedPaths(closed).some(one => isIn(path, one))) return true;
    if (isIn(path, home) && !isIn(workspace, home) && !isIn(path, own)) return true;
  }
  return false;
}

/** How programs call an argument that is a path. */
const PATH = /^(?:\w*_)?paths?$|^\w*Paths?$/;

function pathsIn(value: Json, name = ''): readonly string[] {
  if (typeof value === 'string') return PATH.test(name) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(one => pathsIn(one, name));
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, key));
}

/** Where a path of a model leads, as programs read it. */
function placed(path: string, workspace: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? join(path) : join(workspace, path);
}

/** A path without links, as far as it is there. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await resolved(above), basename(path));
  }
}
