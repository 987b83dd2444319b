import { type Component, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { Pressed } from './keys.ts';
import { listed, wrappedRow } from './rows.ts';
import { oneLine } from './text.ts';
import type { Theme } from './theme.ts';

/*
 * What the bot proposes to say next, numbered. Taking one sends a message like any other, which decides nothing. A number
 * only stands on a reply, and Enter sends the one that is stood on, so that a number may as well begin words of one's own.
 */
export class QuickReplies implements Component {
  readonly #theme: Theme;
  /** How many lines the list may take; at least one reply is shown in any case. */
  readonly #room: () => number;
  #replies: readonly string[] = [];
  #at: number | null = null;

  constructor(theme: Theme, room: () => number = () => 20) {
    this.#theme = theme;
    this.#room = room;
  }

  /** Shows replies; others than before are another list, in which nobody stands. */
  show(replies: readonly string[]): void {
    if (JSON.stringify(replies) !== JSON.stringify(this.#replies)) this.#at = null;
    this.#replies = replies;
  }

  /** How many replies have a number. */
  get numbered(): number {
    return this.#replies.length;
  }

  /** The reply that is stood on. */
  get chosen(): string | null {
    return this.#at === null ? null : (this.#replies[this.#at] ?? null);
  }

  /** Moves by a number, or by an arrow once somebody stands in the list; `false` when the key means nothing here. */
  move(key: Exclude<Pressed, 'enter'>): boolean {
    const count = this.#replies.length;
    if (typeof key === 'number') {
      if (key > count) return false;
      this.#at = key - 1;
      return true;
    }
    if (this.#at === null) return false;
    this.#at = (this.#at + (key === 'up' ? count - 1 : 1)) % count;
    return true;
  }

  /** Stands nowhere any more. */
  leave(): void {
    this.#at = null;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    if (this.#replies.length === 0) return [];
    const { accent, faint } = this.#theme;
    const hint = wrapTextWithAnsi(this.#hint(), Math.max(1, width)).map(line => faint(line));
    const room = Math.max(1, this.#room() - hint.length);
    const count = this.#replies.length;
    const list = listed(count, this.#at, room, (at, lines) => {
      const here = at === this.#at;
      const sign = `${here ? '›' : ' '} ${accent(`${at + 1}`)} `;
      return wrappedRow(sign, oneLine(this.#replies[at] ?? ''), width, {
        lines,
        ...(here ? { style: accent } : {}),
      });
    });
    if (list.shown === count) return [...list.lines, ...hint];
    return [...list.lines, faint(truncateToWidth(`${list.shown} of ${count} replies`, width, '…'))];
  }

  #hint(): string {
    return this.#at === null
      ? 'A number, then Enter, sends it; or type your own words.'
      : 'Enter sends this; any other key begins your own words.';
  }
}
