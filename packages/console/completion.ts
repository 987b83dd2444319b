import type { AutocompleteProvider } from '@earendil-works/pi-tui';
import { COMMANDS } from './commands.ts';

/** Completes the name of a command on the first line; files and anything else are left alone. */
export const commandCompletion: AutocompleteProvider = {
  triggerCharacters: ['/'],
  getSuggestions(lines, cursorLine, cursorCol) {
    const before = (lines[cursorLine] ?? '').slice(0, cursorCol);
    if (cursorLine !== 0 || lines.length !== 1 || !/^\/[a-z]*$/.test(before)) return Promise.resolve(null);
    const items = COMMANDS.filter(one => `/${one.name}`.startsWith(before)).map(one => ({
      value: `/${one.name}`,
      label: `/${one.name}${one.argument === null ? '' : ` ${one.argument}`}`,
      description: one.help,
    }));
    return Promise.resolve(items.length === 0 ? null : { items, prefix: before });
  },
  applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
    const line = lines[cursorLine] ?? '';
    const head = line.slice(0, cursorCol - prefix.length) + item.value;
    const next = lines.with(cursorLine, head + line.slice(cursorCol));
    return { lines: next, cursorLine, cursorCol: head.length };
  },
  shouldTriggerFileCompletion: () => false,
};
