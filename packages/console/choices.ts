import { type Component, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { titleOf } from '@hearth/client/card-words.ts';
import type { Row, Way } from '@hearth/client/ways.ts';
import { retryWords, rowsOf, whatAMessageDoes } from '@hearth/client/ways.ts';
import { isDrafting, type Pause } from '@hearth/protocol/pause.ts';
import type { Pressed } from './keys.ts';
import { type Listed, listed, wrappedRow } from './rows.ts';
import { cleaned, oneLine } from './text.ts';
import type { Theme } from './theme.ts';

/*
 * The ways in which the shown pause can be answered, as a list. The list decides nothing by itself: numbers and
 * arrows only move in it, and Enter takes the row that the person has moved to. Enter on a list that nobody has
 * moved in does nothing, however often it is pressed: a key meant for something else, or held down, answers nothing.
 */

/** At most this many rows have a number. */
const NUMBERED = 9;

/** Where there is no room to tell more. */
const SHORT_HINT = 'Number or arrows, then Enter.';

/** A question about words that are to be an answer. */
export interface Which {
  readonly question: string;
  readonly rows: readonly Row[];
}

/** The list for the shown pause. */
export class Choices implements Component {
  readonly #theme: Theme;
  /** How many lines the list may take; at least one row is shown in any case. */
  readonly #room: () => number;
  /** Milliseconds since the epoch. */
  readonly #now: () => number;
  #pause: Pause | null = null;
  #rows: readonly Row[] = [];
  #others = 0;
  #at = 0;
  /** The person has moved to a row of this very list. */
  #touched = false;
  #busy = false;
  /** The words are being typed in the composer. */
  #typing = false;
  /** What is asked about words that are to be an answer, in place of the ways to answer. */
  #which: Which | null = null;
  #drawn: Pause | null = null;

  constructor(theme: Theme, room: () => number = () => 20, now: () => number = () => 0) {
    this.#theme = theme;
    this.#room = room;
    this.#now = now;
  }

  get pause(): Pause | null {
    return this.#pause;
  }

  /** The pause as it stands on the screen. */
  get drawn(): Pause | null {
    return this.#drawn;
  }

  /** What is asked about words, if anything is. */
  get which(): Which | null {
    return this.#which;
  }

  /** How many rows have a number. */
  get numbered(): number {
    return Math.min(NUMBERED, this.#rows.length);
  }

  /** Shows a pause, or nothing. `others` counts the open ones that wait behind it. */
  show(pause: Pause | null, others: number): void {
    this.#others = others;
    const before = this.#pause;
    this.#pause = pause;
    this.#rows = this.#which?.rows ?? (pause === null ? [] : rowsOf(pause));
    this.#at = Math.min(this.#at, Math.max(0, this.#rows.length - 1));
    const same = pause?.id === before?.id && JSON.stringify(matter(pause)) === JSON.stringify(matter(before));
    if (same) return;
    this.#at = 0;
    this.#touched = false;
    this.#busy = false;
  }

  /** Lists these rows in place of the ways to answer; `null` lists the ways again. */
  ask(which: Which | null): void {
    if (which === this.#which) return;
    this.#which = which;
    this.#rows = which?.rows ?? (this.#pause === null ? [] : rowsOf(this.#pause));
    this.#at = 0;
    this.#touched = false;
  }

  /** While a decision is on its way nothing else can be chosen. */
  setBusy(busy: boolean): void {
    this.#busy = busy;
  }

  setTyping(typing: boolean): void {
    this.#typing = typing;
  }

  /** What a key leads to, `null` when it decides nothing. */
  press(key: Pressed): Way | null {
    if (this.#busy || this.#rows.length === 0) return null;
    if (key === 'up' || key === 'down') {
      this.#at = (this.#at + (key === 'up' ? this.#rows.length - 1 : 1)) % this.#rows.length;
      this.#touched = true;
      return null;
    }
    if (key === 'enter') {
      return this.#touched ? (this.#rows[this.#at]?.way ?? null) : null;
    }
    if (key > this.numbered) return null;
    this.#at = key - 1;
    this.#touched = true;
    return null;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    const pause = this.#pause;
    this.#drawn = pause;
    if (pause === null) return [];
    const { faint, name } = this.#theme;
    const wrapped = (text: string): string[] =>
      wrapTextWithAnsi(cleaned(text), Math.max(1, width)).map(line => faint(line));
    const wait = retryWords(pause, this.#now());
    let below = [...(wait === null ? [] : wrapped(wait)), ...wrapped(this.#hint(pause))];
    let list = this.#list(width, below.length);
    if (list.shown < this.#rows.length && !this.#touched && !this.#busy) {
      below = wrapped(SHORT_HINT);
      list = this.#list(width, below.length);
    }
    const more = this.#others === 0 ? '' : `, ${this.#others} more after it`;
    const place = list.shown < this.#rows.length ? ` (${this.#at + 1}/${this.#rows.length})` : '';
    const what = this.#which?.question ?? headOf(pause);
    const head = name(truncateToWidth(`${oneLine(what)}${place}${more}`, width, '…'));
    return [head, ...list.lines, ...below];
  }

  #list(width: number, below: number): Listed {
    const room = Math.max(1, this.#room() - 1 - below);
    return listed(this.#rows.length, this.#at, room, (at, lines) => {
      const row = this.#rows[at];
      return row === undefined ? [] : this.#row(row, at, width, { lines, room });
    });
  }

  /**
   * A row; its detail is told where one stands, after as much of its label as there is room for. Until somebody moves,
   * a detail leaves a line to every other row.
   */
  #row(
    row: Row,
    at: number,
    width: number,
    { lines, room }: { readonly lines: number; readonly room: number },
  ): readonly string[] {
    const { faint, accent } = this.#theme;
    const here = at === this.#at;
    const sign = `${here ? '›' : ' '} ${at < NUMBERED ? `${at + 1}` : ' '} `;
    const words = row.way === null ? `${oneLine(row.label)} (not now)` : oneLine(row.label);
    const style = row.way === null ? faint : here && this.#touched ? accent : (text: string) => text;
    const label = wrappedRow(sign, words, width, { style, lines });
    if (row.detail === null || !here) return label;
    const others = this.#touched ? 0 : this.#rows.length - 1;
    const left = Math.max(1, room - label.length - others);
    return [
      ...label,
      ...wrappedRow(' '.repeat(sign.length), oneLine(row.detail), width, { style: faint, lines: left }),
    ];
  }

  #hint(pause: Pause): string {
    if (this.#busy) return 'Sending your answer…';
    if (this.#which !== null && !this.#touched)
      return 'Number or arrows, then Enter; Esc gives your words back.';
    const queues = whatAMessageDoes(pause);
    const row = this.#rows[this.#at];
    if (this.#rows.length === 0) return `Nothing can be chosen here; ${queues}.`;
    if (this.#typing) return 'Enter sends this as the answer, Esc goes back.';
    if (this.#touched && row !== undefined)
      return `Enter chooses "${oneLine(row.label)}"; nothing else decides.`;
    return `Number or arrows, then Enter; ${queues}.`;
  }
}

/** What the list is about. */
function headOf(pause: Pause): string {
  if (pause.kind !== 'card') return `Answer ${pause.id}`;
  const drafting = isDrafting(pause) ? ', being redrafted' : '';
  return `Review ${pause.id}: ${titleOf(pause)}, version ${pause.shown.version}${drafting}`;
}

/** What a choice depends on: another version or other rows are another list. */
function matter(pause: Pause | null): unknown {
  return pause === null ? null : [rowsOf(pause), pause.kind === 'card' ? pause.shown : null];
}
