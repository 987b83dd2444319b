/*
 * The words of an HTML page, for a reader that needs no markup. Pure, and linear in the page: what it makes of a broken one
 * is text too.
 */

/** What holds no words for a reader. */
const LEFT_OUT = /<(script|style|noscript|template|svg|head)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
const BLOCK =
  /<\/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|th|thead|tr|ul)\b[^>]*>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};

/** The title and the words, one block on a line. Scripts, styles and what is hidden in a template are left out. */
export function readableText(html: string): string {
  const title = /<title[^>]*>([^<]*)<\/title/i.exec(html)?.[1] ?? '';
  const body = html.replaceAll(/<!--[\s\S]*?-->/g, ' ').replaceAll(LEFT_OUT, ' ');
  const words = `${title}\n${body}`.replaceAll(BLOCK, '\n').replaceAll(/<[^>]*>/g, '');
  return words
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, entity)
    .split('\n')
    .map(line => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line, at, all) => line !== '' || (all[at - 1] ?? '') !== '')
    .join('\n')
    .trim();
}

function entity(
  whole: string,
  decimal: string | undefined,
  hex: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) {
    const known = name.toLowerCase();
    return Object.hasOwn(ENTITIES, known) ? (ENTITIES[known] ?? whole) : whole;
  }
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
