import { readLine } from './commands.ts';
import type { Composer } from './composer.ts';
import type { Operator } from './operator.ts';
import type { Outbox } from './outbox.ts';
import type { Review } from './review.ts';
import type { TypedAnswer } from './typed-answer.ts';

/** Where a line can go. */
export interface LinesOptions {
  readonly composer: Composer;
  readonly answer: TypedAnswer;
  readonly review: Review;
  readonly operator: Operator;
  readonly outbox: Outbox;
  readonly warn: (text: string) => void;
  readonly attempt: (work: () => Promise<void> | void) => void;
}

/** Takes a line from the composer to what it is: an answer, a command, a decision at a review, else a message. */
export function takeLine(text: string, to: LinesOptions): void {
  const { composer, answer, review, operator, outbox, warn, attempt } = to;
  if (text.trim() === '') return;
  composer.addToHistory(text);
  if (answer.isOpen) return answer.submit(text);
  const line = readLine(text);
  // What is under review is stopped before a turn is; every other command of the console comes first.
  const own = line.is === 'command' && line.command.name !== 'stop';
  if (!own && review.submit(text)) return;
  if (line.is === 'wrong') {
    composer.giveBack(text);
    warn(line.why);
  } else if (line.is === 'command') {
    attempt(() => line.command.run(operator, line.argument));
  } else {
    void outbox.send(line.text, text);
  }
}
