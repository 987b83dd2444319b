import { type Component, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import type { Item } from '@hearth/client/item.ts';
import type { Model } from '@hearth/client/view.ts';
import { transcript } from '@hearth/client/view.ts';
import type { Drawing } from './item-lines.ts';
import { itemLines, markdownLines, noticeLines } from './item-lines.ts';
import { cleaned } from './text.ts';

/*
 * All that was said, above the composer. An item is drawn once per width and then taken from a cache, since items never
 * change in place; the cost of a frame is that of what changed.
 */

/** A line of the console's own, between the items where it happened. */
export interface Notice {
  /** The last event before it. */
  readonly after: number;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  /** Draws it, where it is more than a line of words. */
  readonly draw?: (width: number) => readonly string[];
}

/** Whether what lies before the first line is being read. */
export type Reading =
  | { readonly is: 'done' }
  | { readonly is: 'reading' }
  /** `why` is one sentence. */
  | { readonly is: 'failed'; readonly why: string };

interface Cached {
  readonly width: number;
  readonly lines: readonly string[];
}

/** The lines of all items, for a view that scrolls over them. */
export class Transcript implements Component {
  readonly #drawing: Drawing;
  #cache = new WeakMap<object, Cached>();
  #model: Model | null = null;
  #notices: readonly Notice[] = [];
  #reading: Reading = { is: 'done' };
  /** The first item as it was last drawn, and the line on which it began. */
  #top: { readonly key: string; readonly line: number } | null = null;
  #grown = 0;
  #frame: (Cached & { readonly model: Model | null; readonly notices: readonly Notice[] }) | null = null;

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
  }

  show(model: Model | null, notices: readonly Notice[]): void {
    this.#model = model;
    this.#notices = notices;
  }

  setReading(reading: Reading): void {
    this.#reading = reading;
    this.#frame = null;
  }

  /** How many lines were put above what had been drawn, since this was last asked. */
  takeGrown(): number {
    const grown = this.#grown;
    this.#grown = 0;
    return grown;
  }

  /** Forgets what was drawn; needed when a long text has arrived. */
  invalidate(): void {
    this.#cache = new WeakMap();
    this.#frame = null;
  }

  render(width: number): readonly string[] {
    const frame = this.#frame;
    const same = frame?.width === width && frame.model === this.#model && frame.notices === this.#notices;
    if (frame !== null && same) return frame.lines;
    const lines = this.#lines(width);
    this.#frame = { width, lines, model: this.#model, notices: this.#notices };
    return lines;
  }

  #lines(width: number): string[] {
    const lines: string[] = [];
    const add = (block: readonly string[], tight: boolean): void => {
      if (block.length === 0) return;
      if (lines.length > 0 && !tight) lines.push('');
      for (const line of block) lines.push(line);
    };
    const notices = [...this.#notices];
    const flush = (before: number): void => {
      while (notices[0] !== undefined && notices[0].after < before)
        add(this.#notice(notices.shift() as Notice, width), false);
    };
    let last: Item['is'] | null = null;
    let top: { readonly key: string; readonly line: number } | null = null;
    if (this.#model !== null) add(this.#before(this.#model, width), false);
    for (const item of this.#model === null ? [] : transcript(this.#model)) {
      flush(item.seq);
      const line = lines.length;
      top ??= { key: item.key, line };
      if (item.key === this.#top?.key) this.#grown += line - this.#top.line;
      add(this.#item(item, width), isStep(item.is) && isStep(last));
      last = item.is;
    }
    this.#top = top;
    flush(Number.POSITIVE_INFINITY);
    if (this.#model !== null) for (const block of this.#volatile(this.#model, width)) add(block, false);
    return lines;
  }

  /** What is to be said of what lies before the first item. */
  #before({ past }: Model, width: number): readonly string[] {
    const { theme } = this.#drawing;
    const say = (text: string): readonly string[] => noticeLines('info', text, width, theme);
    if (this.#reading.is === 'reading') return say('Reading what was before…');
    if (this.#reading.is === 'failed')
      return noticeLines('error', `${this.#reading.why} PageUp tries again.`, width, theme);
    if (past.before !== null) return say('There is more before this: PageUp or the wheel shows it.');
    if (past.end === 'dropped') return say('What was before this is not kept any more.');
    return past.items.length === 0 ? [] : say('Here it began.');
  }

  #item(item: Item, width: number): readonly string[] {
    return this.#cached(item, width, () => itemLines(item, width, this.#drawing));
  }

  #notice(notice: Notice, width: number): readonly string[] {
    const { severity, text, draw } = notice;
    const words = (): readonly string[] => noticeLines(severity, text, width, this.#drawing.theme);
    return this.#cached(notice, width, () => draw?.(width) ?? words());
  }

  #cached(key: object, width: number, draw: () => readonly string[]): readonly string[] {
    const known = this.#cache.get(key);
    if (known?.width === width) return known.lines;
    const lines = draw().map(line => (visibleWidth(line) > width ? truncateToWidth(line, width, '') : line));
    this.#cache.set(key, { width, lines });
    return lines;
  }

  /** What the log does not hold yet: words on their way, and text that is being written. */
  #volatile(model: Model, width: number): (readonly string[])[] {
    const { theme } = this.#drawing;
    const sending = model.sending.map(row =>
      this.#cached(row, width, () => [
        theme.name('you (sending…)'),
        ...cleaned(row.text)
          .split('\n')
          .map(line => `  ${line}`),
      ]),
    );
    const { draft } = model;
    if (draft === null || draft.text.trim() === '') return sending;
    const written = this.#cached(draft, width, () => [
      theme.name(`${botName(model)} (writing…)`),
      ...markdownLines(draft.text, width, theme),
    ]);
    return [written, ...sending];
  }
}

function isStep(is: Item['is'] | null): boolean {
  return is === 'tools' || is === 'narrated';
}

/** The bot's name as it last signed, else that of its bundle. */
export function botName(model: Model): string {
  const reply = model.items.findLast(item => item.is === 'replied');
  const bundle = model.now.bot.split('/').findLast(part => part !== '') ?? model.now.bot;
  return cleaned(reply?.is === 'replied' ? reply.by.name : bundle);
}
