/**
 * The highest numbers that the files of a conversation mention, wherever they are torn. Pure. What is given out after
 * that was never given out before, as far as any file tells; a number that is only mentioned leaves a gap, and no harm.
 */
import type { Counters } from '@hearth/engine/state.ts';

/** Numbers of a machine, and of its conversation's log and journal. */
export interface Seen {
  readonly counters: Required<Pick<Counters, 'run' | 'turn' | 'pause' | 'effect' | 'message'>>;
  readonly seq: number;
}

/** The letter of each counter's ids. */
const LETTERS = { r: 'run', t: 'turn', p: 'pause', e: 'effect', m: 'message' } as const;

/** An id as a whole JSON string; one in somebody's words stands between quotes that are escaped, or behind `text`. */
const ID = /(?<!"text":)"([rtpem])([1-9]\d{0,8})"/g;
/** A counter of a snapshot. */
const COUNTER = /"(run|turn|pause|effect|message)":(\d{1,9})\b/g;
const SEQ = /"seq":(\d{1,12})\b/g;
const CURSOR = /(?<!"text":)"\d{1,9}\.(\d{1,12})\.[0-9a-f]{6}"/g;

/** Collects from text, in any order, what an epoch that begins anew has to count on from. */
export class NumbersSeen implements Seen {
  readonly counters: Record<keyof Seen['counters'], number> = {
    run: 0,
    turn: 0,
    pause: 0,
    effect: 0,
    message: 0,
  };
  seq = 0;

  /** Takes up what a text mentions: a line, or a file that is no longer one of lines. */
  look(text: string): void {
    for (const [, letter, digits] of text.matchAll(ID)) {
      if (letter === 'r' || letter === 't' || letter === 'p' || letter === 'e' || letter === 'm')
        this.#count(LETTERS[letter], digits);
    }
    for (const [, name, digits] of text.matchAll(COUNTER)) {
      if (name !== undefined && name in this.counters) this.#count(name as keyof Seen['counters'], digits);
    }
    for (const form of [SEQ, CURSOR])
      for (const [, digits] of text.matchAll(form)) this.seq = Math.max(this.seq, Number(digits));
  }

  #count(name: keyof Seen['counters'], digits: string | undefined): void {
    this.counters[name] = Math.max(this.counters[name], Number(digits));
  }
}
