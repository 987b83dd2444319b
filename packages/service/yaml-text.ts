import type { Position } from '@hearth/language/diagnostic.ts';
import { isNode, LineCounter, parseDocument } from 'yaml';

/** YAML that was read; `locate` finds the place of a key. */
export interface YamlText {
  readonly value: unknown;
  readonly locate: (path: readonly (string | number)[]) => Position;
}

/** Why a text is no YAML; `problem` continues a sentence that names the text. */
export interface YamlFault {
  readonly problem: string;
  readonly at: Position;
}

const START: Position = { line: 1, column: 1 };
/** How deep brackets may be nested; the YAML library follows them on its stack. */
const MAX_DEPTH = 100;

/** Reads YAML; never throws, whatever the text. Aliases may not be many times larger than what they repeat. */
export function readYaml(text: string): YamlText | YamlFault {
  if (isTooDeep(text)) return { problem: `is nested deeper than ${MAX_DEPTH} levels`, at: START };
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const broken = document.errors[0];
    if (broken !== undefined) {
      return {
        problem: `is not valid YAML: ${broken.message.split('\n')[0] ?? ''}`,
        at: place(broken.pos[0]),
      };
    }
    const value: unknown = document.toJS();
    return {
      value,
      locate: path => {
        // A key that is missing has no place of its own: what should hold it has one.
        for (let length = path.length; length > 0; length -= 1) {
          const node: unknown = document.getIn(path.slice(0, length), true);
          if (isNode(node) && node.range) return place(node.range[0]);
        }
        return START;
      },
    };
  } catch (error) {
    // The library throws for aliases that unfold without end or name nothing, and for what exhausts the stack.
    const words = error instanceof ReferenceError ? error.message : '';
    if (words === '') return { problem: 'is nested too deep to be read', at: START };
    const bomb = words.startsWith('Excessive alias count');
    const problem = bomb
      ? 'repeats its aliases too often: write the values out'
      : `is not valid YAML: ${words}`;
    return { problem, at: START };
  }
}

/** Whether brackets or indentation go deeper than any manifest does; counted roughly, before anything is read. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
    else if (char === '\n') depth = 0;
    if (depth > MAX_DEPTH) return true;
  }
  return /^(?: {400}|(?:- ){100})/m.test(text);
}
