import { Editor, type TUI, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { commandCompletion } from './completion.ts';
import type { Theme } from './theme.ts';

/*
 * Where a person types. Keys are offered to the console first, but never while text is pasted; what was typed and could
 * not be sent comes back in front of whatever was typed since.
 */
export class Composer extends Editor {
  /** Sees every key first; true when it was meant for something else. */
  onKey: (data: string) => boolean = () => false;
  readonly #theme: Theme;
  #label: string | null = null;

  constructor(tui: TUI, theme: Theme) {
    super(tui, theme.editor, { paddingX: 1 });
    this.#theme = theme;
    this.setAutocompleteProvider(commandCompletion);
  }

  get isEmpty(): boolean {
    return this.getText() === '';
  }

  /** Says on the border what typed words will be, when they are no message. */
  setLabel(label: string | null): void {
    this.#label = label;
  }

  override handleInput(data: string): void {
    if (!data.includes('\u001b[200~') && this.onKey(data)) return;
    super.handleInput(data);
  }

  /** Gives words back to their writer. */
  giveBack(text: string): void {
    const typed = this.getExpandedText();
    this.setText(typed === '' ? text : `${text}\n\n${typed}`);
  }

  protected override renderTopBorder(width: number, hiddenLineCount: number): string {
    if (this.#label === null) return super.renderTopBorder(width, hiddenLineCount);
    const label = truncateToWidth(`── ${this.#label} `, width, '…');
    return this.#theme.accent(label) + this.borderColor('─'.repeat(Math.max(0, width - visibleWidth(label))));
  }
}
