import { LATE_PARTS } from '@hearth/conversations/late-parts.ts';
import { compiler } from './bots.ts';

/** What a start of a service does without, in the order in which a first message will need it. */
const LATE: readonly (() => Promise<unknown>)[] = [
  ...LATE_PARTS,
  () => import('./means.ts'),
  compiler,
  () => import('@hearth/board/board.ts'),
  () => import('@hearth/conversations/run-summary.ts'),
  () => import('@hearth/backends/model-api/run.ts'),
  () => import('@hearth/backends/claude-code/run.ts'),
  () => import('@hearth/backends/agent-programs/program-run.ts'),
  () => import('@hearth/backends/codex/player.ts'),
  () => import('@hearth/backends/acp/player.ts'),
  () => import('@hearth/backends/rehearsal/run.ts'),
];

/** Loads it, part by part, so that requests are answered in between. What cannot be loaded is told to whoever needs it. */
export async function loadLate(): Promise<void> {
  for (const load of LATE) {
    await load().catch(() => undefined);
    await new Promise(resolve => setImmediate(resolve));
  }
}
