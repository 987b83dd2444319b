/*
 * The words of an HTML page, for a reader that needs no markup. Pure, and linear in the page: what it makes of a broken one
 * is text too.
 */

/** Elements that hold no words for a reader. */
const LEFT_OUT: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);
/** Elements whose words stand on lines of their own. */
const BLOCK: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td th thead tr ul'.split(
    ' ',
  ),
);
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
  return `${titleOf(html)}\n${wordsOf(html)}`
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, entity)
    .split('\n')
    .map(line => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line, at, all) => line !== '' || (all[at - 1] ?? '') !== '')
    .join('\n')
    .trim();
}

function titleOf(html: string): string {
  const begins = html.indexOf('>', indexFrom(html, /<title/gi, 0));
  const ends = html.indexOf('<', begins);
  return begins < 0 || ends < 0 ? '' : html.slice(begins + 1, ends);
}

/** The page without its markup. What is looked for once in vain is not looked for again: a page may open much and close nothing. */
function wordsOf(html: string): string {
  const kept: string[] = [];
  const unclosed = new Set<string>();
  const closing = (name: string, end: RegExp, from: number): number => {
    const at = unclosed.has(name) ? html.length : indexFrom(html, end, from);
    if (at === html.length) unclosed.add(name);
    return at;
  };
  let at = 0;
  while (at < html.length) {
    const tag = indexFrom(html, /</g, at);
    kept.push(html.slice(at, tag));
    if (tag === html.length) break;
    if (html.startsWith('<!--', tag)) {
      const end = closing('<!--', /-->/g, tag + 4);
      at = end === html.length ? tag + 4 : end + 3;
      kept.push(' ');
      continue;
    }
    const end = closing('<', />/g, tag);
    if (end === html.length) {
      kept.push(html.slice(tag));
      break;
    }
    at = end + 1;
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(tag, tag + 16)) ?? [];
    const element = name.toLowerCase();
    if (BLOCK.has(element)) kept.push('\n');
    if (slash !== '' || !LEFT_OUT.has(element)) continue;
    const closed = closing(element, new RegExp(`</${element}\\s*>`, 'gi'), at);
    if (closed === html.length) continue;
    at = html.indexOf('>', closed) + 1;
    kept.push(' ');
  }
  return kept.join('');
}

/** Where a pattern is found from there on; the length of the text when it is not. */
function indexFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
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
