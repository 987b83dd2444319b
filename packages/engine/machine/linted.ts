import { findingsOf } from '@hearth/decisions/lint.ts';
import type { Values } from '@hearth/language/value.ts';
import { declared, publishes } from '../document.ts';
import { textIn } from './documents.ts';
import type { Token } from '../state.ts';
import type { Draft } from './draft.ts';
import type { Running } from './effect.ts';

/**
 * Lets a draft in which something was found be made once more, by a maker who is told what it was; `true` when that is so. What
 * is found in the second is shown beside it, and nothing of it is changed.
 */
export function lintedAgain(draft: Draft, running: Running, output: Values): boolean {
  const { findings: before, attempt } = running.stage;
  const artifact = declared(draft.plan, publishes(draft.plan, running.node));
  const body = artifact === null ? null : textIn(artifact, output);
  if (artifact === null || body === null || before !== undefined) return false;
  const findings = findingsOf(artifact.lint, body);
  if (findings.length === 0) return false;
  const token: Token = running;
  token.stage = { is: 'ready', attempt: attempt + 1, resume: null, joined: [], findings };
  return true;
}
