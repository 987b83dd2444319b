import type { Attachment } from '@hearth/client/attachment.ts';
import { asProblem, type HearthProblem } from '@hearth/client/problem.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { RefusalCode } from '@hearth/protocol/receipt.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { Choices } from './choices.ts';
import type { Handing } from './handing.ts';
import type { Composer } from './composer.ts';
import type { Notice } from './transcript.ts';

/** Where things are sent from, and who is told of what was not taken. */
export interface OutboxOptions {
  readonly attachment: Attachment;
  readonly composer: Composer;
  readonly choices: Choices;
  readonly handing: Pick<Handing, 'files' | 'settled' | 'leave' | 'giveBack'>;
  readonly tell: (severity: Notice['severity'], text: string) => void;
  readonly draw: () => void;
}

/** What leaves the console. What is not taken is back in the composer, with one sentence that says why; never rejects. */
export class Outbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Sends a message, with the files that were attached. `typed` is what was in the composer, when it was not exactly what is sent. */
  async send(text: string, typed = text): Promise<void> {
    const { attachment, composer, handing, tell } = this.#options;
    // A file that was named before the words goes with them.
    await handing.settled();
    const { files } = handing;
    try {
      if (files.length > 0) handing.leave();
      await attachment.send(text, files);
    } catch (error) {
      composer.giveBack(typed);
      handing.giveBack(files);
      tell('error', unsentWords(asProblem(error)));
    }
  }

  /**
   * Answers a pause as it was drawn; `typed` are the words to give back when it is not taken, `null` when there are none.
   * Resolves to why it was not taken, `null` when it was. A refusal of the code `left` is told by the caller, who keeps the
   * words for that.
   */
  async decide(
    pause: Pause,
    act: Act,
    typed: string | null,
    left: RefusalCode | null = null,
  ): Promise<HearthProblem | null> {
    const { attachment, composer, choices, tell, draw } = this.#options;
    choices.setBusy(true);
    draw();
    try {
      await attachment.decide(pause, act);
      return null;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === left) return problem;
      if (typed !== null) composer.giveBack(typed);
      const kept = typed === null ? '' : ' Your words are back in the composer.';
      tell('error', `Your answer to ${pause.id} was not taken: ${problem.detail}${kept}`);
      return problem;
    } finally {
      if (choices.pause?.id === pause.id) choices.setBusy(false);
      draw();
    }
  }

  /** A message that was thought lost has arrived: it must not be sent once more. */
  arrived(text: string, files: readonly Attached[]): void {
    const { composer, handing, tell } = this.#options;
    if (composer.getExpandedText() !== text) return;
    composer.setText('');
    if (files.length > 0) handing.leave();
    tell('info', 'Your message had arrived after all, so it was taken out of the composer.');
  }
}

function unsentWords(problem: HearthProblem): string {
  const kept = 'Your words are back in the composer.';
  if (problem.code !== 'unreachable') return `That was not sent: ${problem.detail} ${kept}`;
  return `That may not have been sent: ${problem.detail} ${kept} Sending them again unchanged cannot double them.`;
}
