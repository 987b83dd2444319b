import type { Parser } from './parser.ts';

/** Whether `import "path"` stands here. In profile 1 the word means nothing. */
export function beginsImport(parser: Parser): boolean {
  return parser.profile === 2 && parser.is('import') && parser.peek(1).kind === 'string';
}

/**
 * Reads an import. Where it stands and where it leads is judged already, though what it names is not read yet (H003).
 */
export function readImport(parser: Parser, atHead: boolean): void {
  const { at } = parser.take();
  if (!atHead) {
    parser.error('E044', at, 'imports stand in front of all declarations', 'move the line up, behind `dsl:`');
  }
  const path = parser.take();
  if (!isInside(path.value)) {
    const message = `the import names \`${path.value.slice(0, 100)}\`, which is no \`.bot\` file below \`lib/\``;
    parser.error('E045', path.at, message, 'write it like `import "lib/common.bot"`');
  } else if (atHead) {
    parser.later(at, 'imports');
  }
  parser.skipEntry();
}

/** Whether a path names a source below `lib/` of its own bundle. */
function isInside(path: string): boolean {
  const [first, ...rest] = path.split('/');
  const named = rest.length > 0 && rest.every(part => !['', '.', '..'].includes(part));
  return first === 'lib' && named && path.endsWith('.bot') && !path.includes('\\');
}
