import type { Ask, BackendEvent } from '@hearth/engine/backend.ts';

/** Words for the person, with what else the turn envelope carries. */
export interface Said {
  readonly is: 'said';
  readonly say: string;
  readonly chips?: readonly string[];
  readonly close?: boolean;
  readonly dispatched?: readonly string[];
}

/** What handling a message came to: words, or a question that parks the turn. */
export type Outcome = Said | { readonly is: 'asked'; readonly ask: Ask };

/** Words and nothing else: the lines that are there. */
export function said(lines: readonly (string | null)[], chips: readonly string[] = []): Said {
  return { is: 'said', say: lines.filter(line => line !== null && line !== '').join('\n'), chips };
}

/** A result that needed no event. */
export async function* still<Result>(result: Result): AsyncGenerator<BackendEvent, Result> {
  yield* [];
  return result;
}
