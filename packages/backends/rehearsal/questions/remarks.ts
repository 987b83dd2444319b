import type { Question } from '../intents.ts';
import { type Said, said, still } from '../outcome.ts';
import type { Scene } from '../scene.ts';

/** "done for now", "merci": the session stays. */
export const standby: Question = scene => still(said([scene.words.standby]));

/** "don't close it". */
export const leave: Question = scene => still(said([scene.words.leave]));

/** Says what it understands, with examples. */
export const help: Question = scene => still(examples(scene, scene.words.help));

/** Says that it did not understand, and what it does understand. */
export const unknown: Question = scene => still(examples(scene, scene.words.unknown));

function examples(scene: Scene, head: string): Said {
  const { words } = scene;
  return said(
    [head, ...words.examples.map(example => `- ${example}`)],
    [words.chips.shortlist, words.chips.sweep, words.chips.list],
  );
}
