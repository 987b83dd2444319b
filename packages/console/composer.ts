import { Editor, type TUI, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { sanitiseKeys } from '@hearth/client/sanitise.ts';
import { commandCompletion } from './completion.ts';
import { cleaned, oneLine } from './text.ts';
import type { Theme } from './theme.ts';

/** Where a terminal says that a paste begins. */
const PASTE = '\u001b[200~';

/*
 * Where a person types. Keys are offered to the console first, but never while text is pasted; what was typed and could
 * not be sent comes back in front of whatever was typed since. The editor draws its text as it is, so none gets in that a
 * terminal would obey, wherever it comes from.
 */
export class Composer extends Editor {
  /** Sees every key first; true when it was meant for something else. */
  onKey: (data: string) => boolean = () => false;
  /** The first of what is typed now has come in. */
  onBegin: () => void = () => {};
  /** Comes before text that is pasted. */
  onPaste: () => void = () => {};
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
    this.#label = label === null ? null : oneLine(label);
  }

  override handleInput(data: string): void {
    if (data.includes(PASTE)) this.onPaste();
    else if (this.onKey(data)) return;
    const keys = sanitiseKeys(data);
    if (keys !== '') this.#taking(() => super.handleInput(keys));
  }

  override setText(text: string): void {
    this.#taking(() => super.setText(cleaned(text)));
  }

  override insertTextAtCursor(text: string): void {
    this.#taking(() => super.insertTextAtCursor(cleaned(text)));
  }

  #taking(take: () => void): void {
    const empty = this.isEmpty;
    take();
    if (empty && !this.isEmpty) this.onBegin();
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
