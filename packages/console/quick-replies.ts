import { type Component, truncateToWidth } from '@earendil-works/pi-tui';
import { oneLine } from './text.ts';
import type { Theme } from './theme.ts';

/*
 * What the bot proposes to say next, numbered. A number is a message like any other and decides nothing; it is taken
 * only while the composer is empty.
 */
export class QuickReplies implements Component {
  readonly #theme: Theme;
  #replies: readonly string[] = [];

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  show(replies: readonly string[]): void {
    this.#replies = replies;
  }

  /** The words behind a number, from 1. */
  at(number: number): string | null {
    return this.#replies[number - 1] ?? null;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    if (this.#replies.length === 0) return [];
    const rows = this.#replies.map((reply, at) =>
      truncateToWidth(`  ${this.#theme.accent(`${at + 1}`)} ${oneLine(reply)}`, width, '…'),
    );
    return [
      ...rows,
      this.#theme.faint(truncateToWidth('A number sends it; or type your own words.', width, '…')),
    ];
  }
}
