import type { Attachment } from '@hearth/client/attachment.ts';
import { readTyped } from '@hearth/client/typed-review.ts';
import type { Model } from '@hearth/client/view.ts';
import { openPauses } from '@hearth/client/view.ts';
import { kindRows } from '@hearth/client/ways.ts';
import type { ArtifactAnswer, ArtifactRef } from '@hearth/protocol/artifact.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { CardPause, Pause } from '@hearth/protocol/pause.ts';
import { changeLines, versionLines } from './card-lines.ts';
import type { Choices } from './choices.ts';
import type { Composer } from './composer.ts';
import type { Outbox } from './outbox.ts';
import type { Theme } from './theme.ts';
import type { Notice } from './transcript.ts';

/** What a review reads from and draws to. */
export interface ReviewOptions {
  readonly attachment: Attachment;
  readonly composer: Composer;
  readonly choices: Choices;
  readonly outbox: Outbox;
  readonly theme: Theme;
  readonly tell: (severity: Notice['severity'], text: string, draw?: Notice['draw']) => void;
  readonly draw: () => void;
}

/**
 * What is typed at a card. Words are bound to the card as it stood on the screen when the first of them was typed: a
 * version that came meanwhile is never decided on by them. Words that were not taken are back in the composer.
 */
export class Review {
  readonly #options: ReviewOptions;
  /** What stood on the screen when the line that is being typed was begun. */
  #begun: Pause | null = null;
  /** Words that came with a confirmation, while it is asked which revision they are. */
  #asked: { readonly pause: CardPause; readonly typed: string } | null = null;

  constructor(options: ReviewOptions) {
    this.#options = options;
  }

  /** A line is begun in the composer. */
  begin(): void {
    this.#begun = this.#options.choices.drawn;
  }

  /** Takes a line that was typed at a review; `false` leaves it to whatever else a line may be. */
  submit(text: string): boolean {
    const bound = this.#begun;
    // Two slashes send the rest as text that begins with one.
    const meaning =
      text.startsWith('//') && bound?.kind === 'card'
        ? { is: 'decision' as const, act: { do: 'say' as const, text: text.slice(1) } }
        : readTyped(text, bound);
    if (meaning.is === 'plain') return false;
    if (meaning.is === 'notice') {
      this.#options.composer.giveBack(text);
      this.#options.tell('warning', meaning.why);
      return true;
    }
    if (bound !== null) void this.decide(bound, meaning.act, text);
    return true;
  }

  /** Decides on a pause as it was drawn; where that is a revision of more than one kind, asks which. */
  async decide(pause: Pause, act: Act, typed: string | null): Promise<void> {
    const { outbox, choices, draw } = this.#options;
    const asked = this.#asked;
    const words = typed ?? asked?.typed ?? null;
    this.#asked = null;
    choices.ask(null);
    const problem = await outbox.decide(pause, act, words, 'kind_required');
    if (problem?.code === 'kind_required' && pause.kind === 'card' && act.do === 'act')
      this.#askWhich(pause, act.feedback ?? '', words ?? act.feedback ?? '');
    draw();
  }

  /** Gives the words back about which it is asked what they are; whether it was asked. */
  leave(): boolean {
    const { choices, composer, draw } = this.#options;
    const asked = this.#asked;
    if (asked === null) return false;
    this.#asked = null;
    choices.ask(null);
    composer.giveBack(asked.typed);
    draw();
    return true;
  }

  /** Gives words back whose card is gone or shows another version. */
  follow(model: Model): void {
    const asked = this.#asked;
    if (asked === null) return;
    const open = model.now.pauses.find(pause => pause.id === asked.pause.id);
    if (open?.kind === 'card' && open.shown.version === asked.pause.shown.version) return;
    this.leave();
  }

  /** Shows a version of what is under review, the one before by default; `named` is a number or `name@number`. */
  async version(named: string): Promise<void> {
    const { theme, tell } = this.#options;
    const card = this.#card();
    const ref = versionNamed(named, card, card?.earlier.at(-1) ?? card?.shown.version);
    const version = await this.#fetch(ref);
    tell('info', named, width => versionLines(version, width, theme));
  }

  /** Shows what changed in the version under review, since the one before by default. */
  async diff(named: string): Promise<void> {
    const { theme, tell } = this.#options;
    const card = this.#card();
    if (card === null) throw new Error('Nothing is under review, so there is nothing to compare.');
    if (named === '' && card.earlier.length === 0)
      throw new Error('This is the first version; nothing changed yet.');
    const since = versionNamed(named, card, card.earlier.at(-1));
    const { changes } = await this.#fetch(card.shown, since.version);
    if (changes !== undefined)
      tell('info', named, width => changeLines(card.shown.artifact, changes, width, theme));
  }

  #askWhich(pause: CardPause, feedback: string, typed: string): void {
    this.#asked = { pause, typed };
    this.#options.choices.ask({
      question: `With words that is a revision. Which one? “${feedback}”`,
      rows: kindRows(pause, feedback),
    });
  }

  #card(): CardPause | null {
    const { attachment, choices } = this.#options;
    if (choices.pause?.kind === 'card') return choices.pause;
    const { model } = attachment;
    return model === null ? null : (openPauses(model).find(pause => pause.kind === 'card') ?? null);
  }

  #fetch(ref: Pick<ArtifactRef, 'artifact' | 'version'>, since?: number): Promise<ArtifactAnswer> {
    const { attachment } = this.#options;
    const conversation = attachment.model?.id;
    if (conversation === undefined) throw new Error('No conversation is open.');
    return attachment.call(client => client.artifact(conversation, ref, { since }));
  }
}

function versionNamed(
  named: string,
  card: CardPause | null,
  otherwise: number | undefined,
): Pick<ArtifactRef, 'artifact' | 'version'> {
  const cut = named.lastIndexOf('@');
  const artifact = cut < 0 ? card?.shown.artifact : named.slice(0, cut);
  const digits = named.slice(cut + 1);
  const version = digits === '' ? otherwise : /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
  if (artifact === undefined) throw new Error('Nothing is under review: name a version, as in plan@2.');
  if (version === undefined) throw new Error(`"${named}" is no version: give a number, or name@number.`);
  return { artifact, version };
}
