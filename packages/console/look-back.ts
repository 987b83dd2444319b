import { ScrollView } from '@earendil-works/pi-tui';
import { asProblem } from '@hearth/client/problem.ts';
import type { Model } from '@hearth/client/view.ts';
import type { Transcript } from './transcript.ts';

/*
 * The transcript behind its window. Whoever scrolls on at the top reads back what lies before, up to the beginning and
 * through every reset; what stands on the screen meanwhile stays where it is.
 */

/** What is scrolled, and how more of it is read. */
export interface LookBackOptions {
  readonly transcript: Transcript;
  readonly model: () => Model | null;
  /** As in `Attachment`. */
  readonly earlier: () => Promise<void>;
  readonly draw: () => void;
}

/** A view that asks for what lies before when somebody scrolls past its top. */
export class LookBack extends ScrollView {
  readonly #options: LookBackOptions;
  #reading = false;
  /** Lines that somebody wanted to see above the top. */
  #wanted = 0;

  constructor(options: LookBackOptions) {
    super(options.transcript, { follow: 'end', primary: true, scrollbar: 'hidden' });
    this.#options = options;
  }

  override scrollBy(lines: number): number {
    const left = super.scrollBy(lines);
    if (left < 0) {
      this.#wanted = Math.min(this.viewportHeight, this.#wanted - left);
      void this.#readBack();
    }
    return left;
  }

  override scrollToStart(): void {
    super.scrollToStart();
    void this.#readBack();
  }

  override updateLayout(contentHeight: number, viewportHeight: number, requestRender: () => void): void {
    super.updateLayout(contentHeight, viewportHeight, requestRender);
    const grown = this.#options.transcript.takeGrown();
    if (grown === 0) return;
    if (!this.isFollowingEnd) this.scrollTo(this.scrollTop + grown - this.#wanted);
    this.#wanted = 0;
  }

  async #readBack(): Promise<void> {
    const { transcript, model, earlier, draw } = this.#options;
    if (this.#reading || (model()?.past.before ?? null) === null) return;
    this.#reading = true;
    transcript.setReading({ is: 'reading' });
    draw();
    try {
      await earlier();
      transcript.setReading({ is: 'done' });
    } catch (error) {
      this.#wanted = 0;
      transcript.setReading({ is: 'failed', why: asProblem(error).detail });
    } finally {
      this.#reading = false;
      draw();
    }
  }
}
