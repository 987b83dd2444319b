import type { Drive } from './drive.ts';
import type { Branch, Fork, Place } from './place.ts';
import type { RunState, Token } from './state.ts';

/*
 * What one point of a run sees. The trunk sees the run. A branch sees what there was at its fork with its own over it, and
 * writes to its own alone, so that branches cannot tell in which order the others went.
 */

/** A run as one point of it sees it. To be read only: what is written goes to `placeOf`. */
export type Frame = RunState;

/** A branch under way, its fork, and the token that stands at the router. */
export interface Found {
  readonly branch: Branch;
  readonly fork: Fork;
  readonly stem: Token;
}

/** The branch of a name; `null` when there is none under way, and for the trunk. */
export function branchOf(run: RunState, id: string | null): Found | null {
  if (id === null) return null;
  for (const stem of run.tokens) {
    if (stem.stage.is !== 'forked') continue;
    const { fork } = stem.stage;
    const branch = fork.branches.find(candidate => candidate.id === id);
    if (branch !== undefined) return { branch, fork, stem };
  }
  return null;
}

/** The branches that a token is in, innermost first. */
export function branchesAround(run: RunState, id: string | null): readonly Found[] {
  const around: Found[] = [];
  for (let found = branchOf(run, id); found !== null; found = branchOf(run, found.stem.branch)) {
    around.push(found);
    // A branch has one fork, which stands elsewhere; a state that says otherwise must not turn in a circle.
    if (around.length > run.tokens.length) break;
  }
  return around;
}

/** Where a token writes. */
export function placeOf(run: RunState, branch: string | null): Place {
  return branchOf(run, branch)?.branch ?? run;
}

/** What an effect sees: the files of the run where they are now. */
export async function withFiles(drive: Pick<Drive, 'attached'>, frame: Frame): Promise<Frame> {
  const named = Object.entries(frame.attachments ?? {});
  if (named.length === 0) return frame;
  const files = await drive.attached(named.map(([, file]) => file));
  const attachments = Object.fromEntries(named.map(([name, file], index) => [name, files[index] ?? file]));
  return { ...frame, attachments };
}

/** What a token sees. */
export function frameOf(run: RunState, branch: string | null): Frame {
  const around = branchesAround(run, branch);
  const [inner] = around;
  if (inner === undefined) return run;
  const { loops, rotation, crossed, unsaid } = inner.branch;
  const outputs = { ...run.outputs };
  const artifacts = { ...run.artifacts };
  for (const { branch: outer } of around.toReversed()) {
    Object.assign(outputs, outer.outputs);
    Object.assign(artifacts, outer.artifacts);
  }
  return {
    ...run,
    outputs,
    artifacts,
    loops,
    unsaid,
    ...(rotation === undefined ? {} : { rotation }),
    ...(crossed === undefined ? {} : { crossed }),
  };
}
