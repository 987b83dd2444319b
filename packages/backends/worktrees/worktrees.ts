import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptWorktree, OpenedWorktree, WorktreeOf, Worktrees } from '@hearth/engine/surroundings.ts';
import type { ConversationId, RunId } from '@hearth/protocol/ids.ts';
import { readJson, writeJson } from '@hearth/store/atomic-file.ts';
import { sumOf } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { z } from 'zod';
import { git } from './git.ts';

/*
 * The worktrees of runs, in `worktrees/<conversation>/` of the home: outside the conversation's directory, so that what
 * is left in one outlives the conversation. Beside each lies a note of what it is, written before it is made and again
 * when it is whole. One that is not whole was never handed out, so it may be made anew; any other is removed by git
 * alone, which refuses where there are changes.
 */

const Note = z.object({
  v: z.literal(1),
  repository: z.string(),
  branch: z.string(),
  /** The commit that it began with. */
  base: z.string(),
  /** `kept` when the run has ended and its person was told of what is in it. */
  state: z.enum(['making', 'whole', 'kept']),
});
type Note = z.infer<typeof Note>;

/** The worktrees below a home's directory. */
export class GitWorktrees implements Worktrees {
  readonly #disk: Disk;
  readonly #root: string;

  constructor(disk: Disk, home: string) {
    this.#disk = disk;
    this.#root = join(home, 'worktrees');
  }

  async open({ conversation, run, workspace }: WorktreeOf): Promise<OpenedWorktree> {
    const found = await checkoutAt(workspace);
    if ('why' in found) return { is: 'none', why: found.why };
    const { repository, base } = found;
    const directory = join(this.#root, conversation);
    const path = join(directory, `${run}-${sumOf(repository).slice(0, 8)}`);
    const note = await readJson(this.#disk, `${path}.json`, Note);
    const there = (await this.#disk.stat(path)) !== null;
    if (note !== null && note.state !== 'making' && there) {
      return { is: 'open', path, branch: note.branch, made: false };
    }
    if (note === null && there) {
      throw new Error(`There is something at ${path} that is no worktree of this run; move it away.`);
    }
    await this.#disk.makeDirectory(directory);
    if (note !== null) await this.#clear(note, path);
    const made: Note = note ?? {
      v: 1,
      repository,
      branch: `hearth/${conversation}/${run}`,
      base,
      state: 'making',
    };
    if (note === null) await writeJson(this.#disk, `${path}.json`, made);
    try {
      // A branch that is there holds what was committed on it before somebody removed the directory.
      const begun = note !== null && (await tipOf(made)) !== null;
      await (begun
        ? git(repository, 'worktree', 'add', '--quiet', path, made.branch)
        : git(repository, 'worktree', 'add', '--quiet', '--no-track', '-b', made.branch, path, made.base));
    } catch (error) {
      const said = error instanceof Error ? error.message : 'unknown';
      throw new Error(`No git worktree of ${repository} could be made: ${said}`, { cause: error });
    }
    await writeJson(this.#disk, `${path}.json`, { ...made, state: 'whole' });
    return { is: 'open', path, branch: made.branch, made: true };
  }

  async tidy(conversation: ConversationId, active: RunId | null): Promise<readonly KeptWorktree[]> {
    const directory = join(this.#root, conversation);
    const kept: KeptWorktree[] = [];
    for (const name of await this.#disk.list(directory)) {
      const [, own, run] = /^((r\d+)-[0-9a-f]{8})\.json$/.exec(name) ?? [];
      if (own === undefined || run === active) continue;
      const path = join(directory, own);
      const note = await readJson(this.#disk, `${path}.json`, Note);
      if (note === null) continue;
      const gone = await this.#removed(note, path);
      if (gone) await this.#disk.remove(`${path}.json`);
      else if (note.state !== 'kept') kept.push({ path, branch: note.branch });
    }
    return kept;
  }

  async told({ path }: KeptWorktree): Promise<void> {
    const note = await readJson(this.#disk, `${path}.json`, Note);
    if (note !== null) await writeJson(this.#disk, `${path}.json`, { ...note, state: 'kept' });
  }

  /** Whether nothing is left of it. What git cannot tell about stays. */
  async #removed(note: Note, path: string): Promise<boolean> {
    const there = (await this.#disk.stat(path)) !== null;
    if (note.state === 'kept') return !there;
    try {
      if (note.state === 'making') await this.#clear(note, path);
      else if (there) {
        if ((await git(path, 'status', '--porcelain', '--untracked-files=all')) !== '') return false;
        if (await commitsOfItsOwn(note, path, ['HEAD'])) return false;
        // A branch with commits is told while its directory is there to look at.
        if ((await tipOf(note)) !== null && (await commitsOfItsOwn(note, path, [note.branch]))) return false;
        await git(note.repository, 'worktree', 'remove', path);
      }
      await this.#dropBranch(note);
      return true;
    } catch {
      return false;
    }
  }

  /** Removes what was begun and never handed out, or what is missing and git still knows. */
  async #clear(note: Note, path: string): Promise<void> {
    // Without its directory git forgets it, however little of it was made.
    if (note.state === 'making') await this.#disk.remove(path);
    await git(note.repository, 'worktree', 'remove', '--force', '--force', path).catch(() => undefined);
  }

  /** Removes the branch where nothing is on it alone, and nobody moves it meanwhile. */
  async #dropBranch(note: Note): Promise<void> {
    const tip = await tipOf(note);
    if (tip === null || (await commitsOfItsOwn(note, note.repository, [tip]))) return;
    await git(note.repository, 'update-ref', '-d', `refs/heads/${note.branch}`, tip);
  }
}

/** The checkout whose root a workspace is, or why there is none to make a worktree of. */
async function checkoutAt(
  workspace: string,
): Promise<{ readonly repository: string; readonly base: string } | { readonly why: string }> {
  try {
    const root = await realpath(workspace);
    const repository = await git(root, 'rev-parse', '--show-toplevel');
    const base = await git(repository, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}').catch(() => null);
    return base === null ? { why: 'its repository has no commit yet' } : { repository, base };
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    if (/ENOENT/.test(said)) return { why: 'git is not installed here, or the directory is not there' };
    return { why: 'it is not the root of a git checkout' };
  }
}

/** The commit that the branch is at; `null` when there is no such branch. */
function tipOf({ repository, branch }: Note): Promise<string | null> {
  return git(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).catch(() => null);
}

/** Whether commits are reachable from there that no other branch, remote branch or tag holds. */
async function commitsOfItsOwn(note: Note, directory: string, from: readonly string[]): Promise<boolean> {
  const others = [`--exclude=${note.branch}`, '--branches', '--remotes', '--tags'];
  return (await git(directory, 'rev-list', '--count', ...from, '--not', note.base, ...others)) !== '0';
}
