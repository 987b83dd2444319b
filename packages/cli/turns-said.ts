import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { RunStep } from '@hearth/protocol/run.ts';
import { headOf } from '@hearth/protocol/text.ts';

/** What was said in a run's turns, in order. */
export interface Said {
  readonly turn: string;
  readonly by: string;
  readonly text: string;
}

/** Turns of one page of the history, and how many pages are read at most. */
const PAGE = 100;
const PAGES = 20;

/** The messages and replies of the turns that the steps name, as the history has them. */
export async function turnsSaid(
  client: HearthClient,
  conversation: ConversationId,
  steps: readonly RunStep[],
): Promise<readonly Said[]> {
  const turns = new Set(steps.flatMap(step => step.turn ?? []));
  const said: Said[] = [];
  let before: number | null = null;
  for (let page = 0; page < PAGES && turns.size > 0; page += 1) {
    const history = await client.history(conversation, before, PAGE);
    const found = history.items.flatMap(line =>
      (line.is === 'said' || line.is === 'replied') && line.turn !== null && turns.has(line.turn)
        ? [{ turn: line.turn, by: line.by.name, text: headOf(line.text) }]
        : [],
    );
    said.unshift(...found);
    before = history.previous;
    // Turns are numbered on, so a page without any of them lies before the run.
    if (before === null || (found.length === 0 && said.length > 0)) break;
  }
  return said;
}
