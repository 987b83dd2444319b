import type { Values } from '@hearth/language/value.ts';
import type { Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { takeOn } from './on.ts';

/**
 * Takes a node's edge for an end that is no output, where it has one; a turn that comes home by it did not complete. What is
 * done beside the graph has no edges.
 */
export function endsOn(
  draft: Draft,
  token: Token,
  end: 'failed' | 'interrupted',
  output: Values = {},
): boolean {
  const { run } = draft;
  if (run === null || run.cancelled !== undefined || token.beside !== undefined) return false;
  const before = draft.turnEnds;
  const { code } = output;
  draft.turnEnds =
    end === 'interrupted'
      ? { change: 'cancelled', code: 'interrupted' }
      : { change: 'failed', ...(typeof code === 'string' ? { code } : {}) };
  if (takeOn(draft, run, token, end, output)) return true;
  draft.turnEnds = before;
  return false;
}
