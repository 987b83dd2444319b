import { matchesKey } from '@earendil-works/pi-tui';
import type { Way } from '@hearth/client/ways.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { Choices } from './choices.ts';
import type { Composer } from './composer.ts';
import { isPrinted, pressedKey } from './keys.ts';
import type { QuickReplies } from './quick-replies.ts';

/*
 * Every key, before the composer has it. A key means something else than text only while the composer is empty, and
 * nothing is sent or decided but by Enter. Numbers that only moved in a list become text as soon as words follow them.
 */

/** What keys can reach. */
export interface KeyboardOptions {
  readonly composer: Composer;
  readonly choices: Choices;
  readonly quick: QuickReplies;
  /** Whether what is typed is the answer to a pause. */
  readonly answering: () => boolean;
  /** Leaves the answer that is being typed; the words stay. */
  readonly leaveAnswer: () => void;
  /** Leaves the question which kind of revision is meant; whether it was asked. */
  readonly leaveWhich: () => boolean;
  /** A way to answer the pause was taken. */
  readonly choose: (pause: Pause, way: Way) => void;
  readonly send: (text: string) => void;
  readonly quit: () => void;
  readonly draw: () => void;
}

/** Judges each key before anything else has it. */
export class Keyboard {
  readonly #options: KeyboardOptions;
  /** Digits that moved in a list, in case they turn out to be the beginning of words. */
  #digits = '';
  #quitting = false;

  constructor(options: KeyboardOptions) {
    this.#options = options;
  }

  /** Whether the next Ctrl-C quits. */
  get quitting(): boolean {
    return this.#quitting;
  }

  /** Takes a key; `false` leaves it to the composer. */
  readonly key = (data: string): boolean => {
    const { composer, quit, draw, answering, leaveAnswer } = this.#options;
    if (matchesKey(data, 'ctrl+c')) return this.#cancel();
    if (this.#quitting) {
      this.#quitting = false;
      draw();
    }
    if (matchesKey(data, 'escape') && answering()) {
      leaveAnswer();
      return true;
    }
    if (!composer.isEmpty) return false;
    if (matchesKey(data, 'escape') && this.#options.leaveWhich()) return true;
    if (matchesKey(data, 'ctrl+d')) {
      quit();
      return true;
    }
    return answering() ? false : this.#list(data);
  };

  /** The digits so far are text after all. */
  readonly typeDigits = (): void => {
    const { composer, quick, draw } = this.#options;
    if (this.#digits !== '' && composer.isEmpty) composer.insertTextAtCursor(this.#digits);
    this.#digits = '';
    quick.leave();
    draw();
  };

  #list(data: string): boolean {
    const { choices, draw } = this.#options;
    const pressed = pressedKey(data);
    const taken = choices.pause === null ? this.#reply(pressed) : this.#choice(choices.pause, pressed);
    if (!taken) {
      if (!isPrinted(data)) this.#digits = '';
      this.typeDigits();
      return false;
    }
    this.#digits = typeof pressed === 'number' ? `${this.#digits}${pressed}` : '';
    draw();
    return true;
  }

  #choice(pause: Pause, pressed: ReturnType<typeof pressedKey>): boolean {
    const { choices, choose } = this.#options;
    if (pressed === null || (typeof pressed === 'number' && pressed > choices.numbered)) return false;
    const way = choices.press(pressed);
    if (way !== null) choose(pause, way);
    return true;
  }

  #reply(pressed: ReturnType<typeof pressedKey>): boolean {
    const { quick, send } = this.#options;
    if (pressed === null) return false;
    if (pressed !== 'enter') return quick.move(pressed);
    const { chosen } = quick;
    if (chosen === null) return false;
    quick.leave();
    send(chosen);
    return true;
  }

  #cancel(): true {
    const { composer, quick, quit, draw, leaveAnswer } = this.#options;
    if (!composer.isEmpty) {
      composer.setText('');
      this.#quitting = false;
    } else if (this.#quitting) {
      quit();
    } else {
      leaveAnswer();
      this.#digits = '';
      quick.leave();
      this.#quitting = true;
    }
    draw();
    return true;
  }
}
