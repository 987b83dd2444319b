import { type Component, matchesKey, SelectList, truncateToWidth } from '@earendil-works/pi-tui';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import { oneLine } from './text.ts';
import type { Theme } from './theme.ts';

/** How a conversation is described beside its title. */
export function describe(row: ConversationRow, current: ConversationId | null): string {
  const scope = row.scope.kind === 'global' ? 'global' : oneLine(row.scope.path);
  const marks = [
    row.id === current ? 'open here' : '',
    row.isDefault ? 'default' : '',
    row.state === 'idle' ? '' : row.state,
    scope,
  ];
  return marks.filter(mark => mark !== '').join(' · ');
}

/** The conversations as a list to choose from: arrows and Enter, Esc goes back. Choosing changes nothing but the screen. */
export class Picker implements Component {
  readonly #list: SelectList;
  readonly #theme: Theme;

  constructor(
    rows: readonly ConversationRow[],
    current: ConversationId | null,
    theme: Theme,
    done: (chosen: ConversationId | null) => void,
  ) {
    this.#theme = theme;
    const items = rows.map(row => ({
      value: row.id,
      label: oneLine(row.title),
      description: describe(row, current),
    }));
    this.#list = new SelectList(items, 10, theme.list, {
      minPrimaryColumnWidth: 12,
      maxPrimaryColumnWidth: 40,
    });
    this.#list.setSelectedIndex(
      Math.max(
        0,
        rows.findIndex(row => row.id === current),
      ),
    );
    this.#list.onSelect = item => done(rows.find(row => row.id === item.value)?.id ?? null);
    this.#list.onCancel = () => done(null);
  }

  handleInput(data: string): void {
    if (matchesKey(data, 'ctrl+c')) this.#list.onCancel?.();
    else this.#list.handleInput(data);
  }

  invalidate(): void {
    this.#list.invalidate();
  }

  render(width: number): readonly string[] {
    const head = this.#theme.name(truncateToWidth('Conversations', width, '…'));
    const hint = this.#theme.faint(truncateToWidth('Arrows and Enter open one, Esc goes back.', width, '…'));
    return [head, ...this.#list.render(width), hint];
  }
}
