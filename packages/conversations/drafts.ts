/**
 * Text that is still being written, on its way to whoever watches. At most one frame in `PACE` milliseconds for a turn
 * and node, always the latest text, and none once its durable words are out. A frame shows the end of a long text only:
 * each carries all that it shows, and whoever watches reads where the writing is.
 */
import type { Frame } from '@hearth/protocol/frame.ts';
import type { Clock } from '@hearth/store/clock.ts';

/** Text so far of one node in one turn. It is never stored and may be missed; a later event has it whole. */
export type DraftFrame = Extract<Frame, { frame: 'draft' }>;

/** Milliseconds between two frames of the same draft. */
export const PACE = 60;

/** UTF-16 units of a draft that are shown. */
export const SHOWN = 16_384;

interface Pacing {
  sentAt: number;
  waiting: DraftFrame | null;
  cancel: (() => void) | null;
}

/** Paces the drafts of one conversation by the clock. */
export class Drafts {
  readonly #clock: Clock;
  readonly #send: (frame: DraftFrame) => void;
  readonly #paced = new Map<string, Pacing>();

  constructor(clock: Clock, send: (frame: DraftFrame) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  put(draft: Omit<DraftFrame, 'frame'>): void {
    const frame: DraftFrame = { frame: 'draft', ...draft, text: endOf(draft.text) };
    const key = `${draft.turn} ${draft.node}`;
    const pacing = this.#paced.get(key);
    if (pacing === undefined) {
      this.#paced.set(key, { sentAt: this.#clock.active(), waiting: null, cancel: null });
      this.#send(frame);
      return;
    }
    pacing.waiting = frame;
    if (pacing.cancel) return;
    const left = pacing.sentAt + PACE - this.#clock.active();
    if (left <= 0) this.#sendWaiting(pacing);
    else pacing.cancel = this.#clock.after(left, () => this.#sendWaiting(pacing));
  }

  /** The turn's durable words are out: what waits of their draft is dropped. Without a turn, everything is. */
  end(turn?: string): void {
    for (const [key, pacing] of this.#paced) {
      if (turn !== undefined && !key.startsWith(`${turn} `)) continue;
      pacing.cancel?.();
      this.#paced.delete(key);
    }
  }

  #sendWaiting(pacing: Pacing): void {
    const { waiting } = pacing;
    pacing.cancel = null;
    pacing.waiting = null;
    if (waiting === null) return;
    pacing.sentAt = this.#clock.active();
    this.#send(waiting);
  }
}

/** The end of a long text from the start of a line, if one starts soon enough, after a mark that something is left out. */
function endOf(text: string): string {
  if (text.length <= SHOWN) return text;
  const end = text.slice(-SHOWN);
  const line = end.indexOf('\n') + 1;
  // Half a character at the cut would be shown as a broken one.
  const whole = end.replace(/^[\uDC00-\uDFFF]/, '');
  return `…\n${line > 0 && line < SHOWN / 4 ? end.slice(line) : whole}`;
}
