import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { done } from '@hearth/backends/testing/scripted/step.ts';
import { REVIEW_SOURCE } from '@hearth/engine/testing/review-plan.ts';
import type { Values } from '@hearth/language/value.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { newHome } from './served.ts';

/* For tests: a bot whose two documents a person confirms, and whoever plays its parts. */

/** The bundle of that bot, in a directory that `endAll` removes. */
export function reviewBundle(source = REVIEW_SOURCE): string {
  const directory = join(newHome(), 'propose');
  mkdirSync(directory);
  writeFileSync(join(directory, 'main.bot'), source);
  writeFileSync(join(directory, 'manifest.yaml'), 'name: propose\nversion: 0.1.0\n');
  return directory;
}

/** Drafts that tell how often they were made, readings that find nothing, and an execution that ends at once. */
export function reviewScript(more: (node: string, count: number) => Values | null = () => null): Script {
  const counts = new Map<string, number>();
  return ({ node }) => {
    const count = (counts.get(node) ?? 0) + 1;
    counts.set(node, count);
    return [done(more(node, count) ?? part(node, count))];
  };
}

function part(node: string, count: number): Values {
  if (node === 'execute') return { status: 'done', reply: 'It is done.' };
  if (node === 'read_words') return { task: '', plan: '', kind: 'none', agrees: false };
  return { text: `DO what was asked\n    AS ${node} says\nDRAFT number ${count}`, refused: false };
}

/** The card that waits for a person; throws where none does. */
export function cardIn(view: ConversationView): CardPause {
  const card = view.pauses.find((pause): pause is CardPause => pause.kind === 'card');
  if (card === undefined)
    throw new Error(`no card is open, but ${view.pauses.map(({ kind }) => kind).join()}`);
  return card;
}

/** Whether a card waits that shows this version. */
export const shows =
  (name: string, version: number) =>
  (view: ConversationView): boolean =>
    view.pauses.some(
      pause =>
        pause.kind === 'card' &&
        pause.status === 'shown' &&
        pause.shown.artifact === name &&
        pause.shown.version === version,
    );
