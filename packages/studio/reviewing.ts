import type { HearthProblem } from '@hearth/client/problem.ts';
import { readTyped } from '@hearth/client/typed-review.ts';
import { type Model, shownPause } from '@hearth/client/view.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import { PauseId as PauseIdSchema } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { Drafts } from './drafts.ts';

/** Where words beside a pause are kept, and who hears of them. */
export interface ReviewingOptions {
  readonly drafts: Drafts;
  /** Words beside a pause have changed. */
  readonly onBeside: (beside: Readonly<Record<string, string>>) => void;
}

/** What a composed line leads to. */
export type Line =
  | { readonly is: 'message' }
  | { readonly is: 'notice'; readonly why: string }
  | { readonly is: 'decision'; readonly pause: Pause; readonly act: Act };

/**
 * Words at cards and inputs: those in the field beside one, which stay until they were taken, and those in the composer,
 * which are meant for what was on the page when the first of them was typed.
 */
export class Reviewing {
  readonly #options: ReviewingOptions;
  #begun: Pause | null = null;

  constructor(options: ReviewingOptions) {
    this.#options = options;
  }

  /** What is composed changes from one text to another. */
  compose(model: Model, before: string, now: string): void {
    if (before.trim() === '' && now.trim() !== '') this.#begun = shownPause(model);
  }

  /** What is composed now was not begun on what the page shows: another life of the page, or given back. */
  forget(): void {
    this.#begun = null;
  }

  /** What a composed line means. */
  read(text: string): Line {
    const bound = this.#begun;
    const meaning = readTyped(text, bound);
    if (meaning.is === 'notice') return { is: 'notice', why: meaning.why };
    if (meaning.is === 'plain' || bound === null) return { is: 'message' };
    return { is: 'decision', pause: bound, act: meaning.act };
  }

  /** Keeps what is typed beside a card or an input. */
  note({ id }: Pick<Model, 'id'>, pause: PauseId, words: string): void {
    const { drafts, onBeside } = this.#options;
    drafts.note(id, pause, words);
    onBeside(drafts.beside(id));
  }

  /** Words beside pauses that somebody else has closed; they are kept here no longer. */
  orphans(
    model: Model,
    deciding: PauseId | null,
  ): readonly { readonly pause: PauseId; readonly words: string }[] {
    return Object.entries(this.#options.drafts.beside(model.id)).flatMap(([name, words]) => {
      const pause = PauseIdSchema.safeParse(name).data;
      if (pause === undefined || pause === deciding || model.now.pauses.some(open => open.id === pause))
        return [];
      this.note(model, pause, '');
      return [{ pause, words }];
    });
  }
}

/** What to say of a decision that was not taken. */
export function untakenWords(pause: Pause, { code, detail }: HearthProblem): string {
  const kept = pause.kind === 'card' || pause.kind === 'input' ? ' Your words are kept.' : '';
  return code === 'kind_required'
    ? `With words that is a revision, and there is more than one kind: choose which.${kept}`
    : `Your answer to ${pause.id} was not taken: ${detail}${kept}`;
}
