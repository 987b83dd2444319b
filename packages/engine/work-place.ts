import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Drive } from './drive.ts';
import type { RunOptions } from './run.ts';
import type { Worktrees } from './surroundings.ts';
import { workspaceOf } from './workspace-of.ts';

/** Where an effect works; `board` is the workspace itself where that is a worktree of it. */
export interface WorkedIn {
  readonly workspace: string;
  readonly board?: string;
}

/** Where an effect that begins now works. Rejects with a sentence when its worktree cannot be made. */
export async function workedIn(options: RunOptions): Promise<WorkedIn> {
  const workspace = workspaceOf(options);
  const path = await options.workPlace?.find(workspace);
  return path === undefined || path === workspace ? { workspace } : { workspace: path, board: workspace };
}

/**
 * Whose directories are chosen, and what makes worktrees; without it a plan's `worktree: auto` is told and passed
 * over.
 */
export interface WorkPlaceOptions {
  readonly drive: Drive;
  readonly conversation: ConversationId;
  readonly worktrees: Worktrees | null;
}

/**
 * Where the runs of a conversation work: in the workspace, or with `worktree: auto` in a git worktree of it, which is
 * made with the run's first turn there, found again after a crash, and looked after once the run has ended. What there is
 * on the disk is the only record of it. Each worktree that is kept is told at least once.
 */
export class WorkPlace {
  readonly #options: WorkPlaceOptions;
  /** Told in this opening. */
  readonly #told = new Set<string>();
  /** The active run when the worktrees were looked after; `undefined` before the first time. */
  #rested: string | null | undefined = undefined;
  /** One thing after the other: branches may ask at the same time. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: WorkPlaceOptions) {
    this.#options = options;
  }

  /** The directory in which the run works for a turn in that workspace. */
  find(workspace: string): Promise<string> {
    return this.#after(() => this.#find(workspace));
  }

  /** Nothing runs: looks after the worktrees of runs that have ended, if that was not done. */
  rest(): void {
    const { worktrees, drive, conversation } = this.#options;
    const { run } = drive.state.machine;
    const active = run?.status === 'active' ? run.id : null;
    if (worktrees === null || active === this.#rested) return;
    this.#rested = active;
    void this.#after(async () => {
      for (const kept of await worktrees.tidy(conversation, active)) {
        const text = `The run has ended and left changes in its worktree ${kept.path}, on the branch ${kept.branch}. Take them over, then remove it with "git worktree remove".`;
        await this.#tell('worktree_kept', 'info', text);
        await worktrees.told(kept);
      }
    }).catch(() => {
      // They are all still there, so the next rest looks again.
      this.#rested = undefined;
    });
  }

  /** Resolves when what `rest` began has been done. */
  async rested(): Promise<void> {
    await this.#tail;
  }

  async #find(workspace: string): Promise<string> {
    const { worktrees, drive, conversation } = this.#options;
    const { run } = drive.state.machine;
    if (worktrees === null || run === null || drive.plan.worktree !== 'auto') return workspace;
    const opened = await worktrees.open({ conversation, run: run.id, workspace });
    if (opened.is === 'open') {
      if (opened.made) {
        const text = `The bot works in a git worktree of ${workspace}: ${opened.path}, on the branch ${opened.branch}. Changes that are not committed are not in it.`;
        await this.#tell('worktree', 'info', text);
      }
      return opened.path;
    }
    const key = `${run.id} ${workspace}`;
    if (!this.#told.has(key)) {
      this.#told.add(key);
      const text = `The bot asks for a git worktree and works in ${workspace} itself: ${opened.why}.`;
      await this.#tell('no_worktree', 'warning', text);
    }
    return workspace;
  }

  #tell(code: string, severity: 'info' | 'warning', text: string): Promise<void> {
    return this.#options.drive.commit([], [{ type: 'notice', code, severity, text }]);
  }

  #after<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
