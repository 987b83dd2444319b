/** The latest turns as a fresh session can be told of them. */
import type { Recap } from '@hearth/engine/backend.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { TurnId } from '@hearth/protocol/ids.ts';
import { headOf } from '@hearth/protocol/text.ts';

/** Turns of a recap at most; the engine takes what fits. */
export const RECAP_TURNS = 40;

/** What was said and replied, oldest first. The turn under way is the prompt's business and is left out. */
export function recapOf(lines: readonly TranscriptLine[], current: TurnId | null): Recap {
  const turns = lines.flatMap((line): Recap['turns'] => {
    if (line.turn !== null && line.turn === current) return [];
    if (line.is === 'said') return [{ who: 'person', text: headOf(line.text) }];
    if (line.is === 'replied') return [{ who: 'bot', text: headOf(line.text) }];
    return [];
  });
  return { turns };
}
