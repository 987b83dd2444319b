import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '@hearth/store/clock.ts';
import { readJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Board } from './board.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import { BoardError } from './board-error.ts';
import { BoardFiles, BoardWorkspace } from './board-files.ts';

/*
 * All boards of a home: one per workspace, found by the workspace's real path, so that every way of writing a path
 * leads to the same board and two callers share the one `Board` that serialises their changes.
 */

/** Where boards lie, and how a workspace is told from another. */
export interface BoardsOptions {
  /** The home's directory, absolute. */
  readonly home: string;
  readonly disk: Disk;
  readonly clock: Clock;
  /** The path with every link resolved; rejects when there is no such directory. */
  realPath(path: string): Promise<string>;
}

/** Told of each ticket that is changed or made through this process, once that is durable. */
export type OnBoard = (change: { readonly workspace: string; readonly ticket: Ticket }) => void;

/** The directory name of a workspace's board: the first 16 hex digits of the SHA-256 of its real path. */
export function boardKey(realPath: string): string {
  return createHash('sha256').update(realPath).digest('hex').slice(0, 16);
}

/** All boards of a home, each opened when it is first asked for. Paths that lead to one directory have one board. */
export class Boards {
  readonly #options: BoardsOptions;
  readonly #open = new Map<string, Promise<Board>>();
  readonly #watchers = new Set<OnBoard>();

  constructor(options: BoardsOptions) {
    this.#options = options;
  }

  /** The board of a workspace, made with the first write to it. Throws `unknown_workspace` and `board_damaged`. */
  async open(workspace: string): Promise<Board> {
    const path = await this.#realPath(workspace);
    const key = boardKey(path);
    const opened = this.#open.get(key);
    if (opened !== undefined) return opened;
    const opening = this.#make(path, key);
    this.#open.set(key, opening);
    // A board that could not be opened is tried again: its person may have repaired it.
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  /** Tells of every change to a ticket of any board. The result ends it. */
  watch(on: OnBoard): () => void {
    const own: OnBoard = change => on(change);
    this.#watchers.add(own);
    return () => this.#watchers.delete(own);
  }

  /** The workspaces that have a board, in order of their keys. A board that cannot be read is left out. */
  async workspaces(): Promise<readonly string[]> {
    const { home, disk } = this.#options;
    const found: string[] = [];
    for (const key of (await disk.list(join(home, 'boards'))).toSorted()) {
      const file = join(home, 'boards', key, 'workspace.json');
      const workspace = await readJson(disk, file, BoardWorkspace).catch(() => null);
      if (workspace !== null && boardKey(workspace.path) === key) found.push(workspace.path);
    }
    return found;
  }

  async #realPath(workspace: string): Promise<string> {
    try {
      return await this.#options.realPath(workspace);
    } catch (error) {
      const message = `There is no directory ${workspace}, so it has no board; name the directory of a project.`;
      throw new BoardError('unknown_workspace', message, { cause: error });
    }
  }

  async #make(path: string, key: string): Promise<Board> {
    const { home, disk, clock } = this.#options;
    const files = new BoardFiles(disk, join(home, 'boards', key), path);
    await files.open();
    const { Board } = await import('./board.ts');
    return new Board(path, files, clock, ticket => {
      for (const on of this.#watchers) on({ workspace: path, ticket });
    });
  }
}
