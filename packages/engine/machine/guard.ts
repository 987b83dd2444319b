import { unmet } from '../document.ts';
import type { Token } from '../state.ts';
import { againOfReady } from './again.ts';
import type { Draft } from './draft.ts';
import { hold } from './recovery.ts';

/*
 * The guard of what acts on artifacts. It is asked when a node is to start, when its intent is written, and once more by
 * whoever runs it, over the bodies as they are stored.
 */

/** The code of what the guard does not let start. */
export const GUARD = 'guard';

/** Holds every token whose node requires what is not confirmed, or is not what was confirmed. */
export function holdUnguarded(draft: Draft): void {
  for (const token of draft.run?.tokens ?? []) {
    const why = token.stage.is === 'ready' ? unguarded(draft, token) : null;
    if (why === null || token.stage.is !== 'ready') continue;
    const detail = `${why}, so "${token.node}" was not started.`;
    hold(draft, token, { cause: 'guard', code: GUARD, detail }, againOfReady(token.stage));
  }
}

/** Why the token's node may not start, for a person; `null` when it may. */
export function unguarded({ plan, run }: Draft, token: Token): string | null {
  const node = plan.nodes[token.node];
  if (run === null || node === undefined || !('requires' in node)) return null;
  for (const name of node.requires ?? []) {
    const why = unmet(plan, run, name);
    if (why !== null) return why;
  }
  return null;
}
