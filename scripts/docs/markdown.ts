/** A cell's text on one line; what would end the cell is written so that it does not. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map(row => row.map(cell))];
  return lines.map(line => `| ${line.join(' | ')} |`).join('\n');
}

/** Text as code. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Each text as code, in one cell. */
export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}

/** An indented block of code. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
