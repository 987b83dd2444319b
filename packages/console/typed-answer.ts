import type { Attachment } from '@hearth/client/attachment.ts';
import type { Model } from '@hearth/client/view.ts';
import { rowsOf, type Way } from '@hearth/client/ways.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { Composer } from './composer.ts';
import type { Outbox } from './outbox.ts';
import { speaker } from './speaker.ts';
import type { Notice } from './transcript.ts';

/** A way to answer that takes words. */
export type Typed = Extract<Way, { is: 'type' }>;

/** Where the words are typed, and where the answer goes. */
export interface TypedAnswerOptions {
  readonly me: Actor;
  readonly attachment: Attachment;
  readonly composer: Composer;
  readonly outbox: Outbox;
  readonly tell: (severity: Notice['severity'], text: string) => void;
  readonly draw: () => void;
}

/**
 * Words that are typed as the answer to a pause, as it was when the person chose to. Only a person begins and sends them;
 * when their pause is gone the words stay in the composer and go nowhere by themselves.
 */
export class TypedAnswer {
  readonly #options: TypedAnswerOptions;
  #to: { readonly pause: Pause; readonly way: Typed } | null = null;

  constructor(options: TypedAnswerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#to !== null;
  }

  /** What the words will be, for the border of the composer. */
  get label(): string | null {
    return this.#to === null ? null : `${this.#to.way.hint}, for ${this.#to.pause.id} (Esc goes back)`;
  }

  begin(pause: Pause, way: Typed): void {
    this.#to = { pause, way };
  }

  leave(): void {
    this.#to = null;
  }

  /** Sends the words as the answer. */
  submit(text: string): void {
    const { attachment, composer, outbox, tell, draw } = this.#options;
    const to = this.#to;
    if (to === null) return;
    const act = to.way.make(text);
    if (typeof act === 'string') {
      composer.giveBack(text);
      tell('warning', act);
      return;
    }
    this.#to = null;
    void outbox.decide(to.pause, act, text).then(problem => {
      // What was refused stays an answer to what is still open, as that stands now; corrected, it must not go out as a message.
      const open = attachment.model?.now.pauses.find(one => one.id === to.pause.id);
      if (problem !== null && open !== undefined && this.#to === null) this.#to = againTo(open, to);
      draw();
    });
  }

  /** Leaves the answer when its pause is no longer open. */
  follow(model: Model): void {
    const pause = this.#to?.pause.id;
    if (pause === undefined || model.now.pauses.some(open => open.id === pause)) return;
    this.#to = null;
    const item = model.items.findLast(one => one.is === 'asked' && one.pause.id === pause);
    const by =
      item?.is === 'asked' && item.closed !== null ? speaker(item.closed.by, this.#options.me) : 'someone';
    this.#options.tell(
      'warning',
      `${pause} was closed by ${by} while you were typing; your words are still here and were not sent.`,
    );
  }
}

/** The same way to answer the pause as it stands now; `null` when there is none any more. */
function againTo(pause: Pause, { way }: { readonly way: Typed }): { pause: Pause; way: Typed } | null {
  for (const row of rowsOf(pause))
    if (row.way?.is === 'type' && row.way.hint === way.hint) return { pause, way: row.way };
  return null;
}
