import type { Position } from '../diagnostic.ts';
import { didYouMean } from '../nearest.ts';
import { promptName } from './kinds.ts';
import type { Parser, Spanned } from './parser.ts';
import type { Kind } from './properties.ts';

/*
 * What a person may do at a pause, in the order that decides when typed text fits several:
 *
 *     NAME: "Label" [modifier, modifier, …]
 */

const FLAGS = ['feedback', 'text', 'assent', 'confirms', 'stops'] as const;
const TARGETS = ['reopens', 'notes', 'aside', 'says'] as const;

/** What an action does and needs. A target is an artifact (`reopens`, `notes`), a node (`aside`) or a prompt (`says`). */
export type ModifierSyntax = { readonly at: Position } & (
  | { readonly is: (typeof FLAGS)[number] }
  | { readonly is: (typeof TARGETS)[number]; readonly target: Spanned<string> }
  | { readonly is: 'when'; readonly expr: Spanned<string> }
);

/** One action as written: `name: "Label" [modifier, …]`. */
export interface ActionSyntax {
  readonly name: Spanned<string>;
  readonly label: Spanned<string>;
  readonly modifiers: readonly ModifierSyntax[];
}

/** `actions:` with one action to a line; one that cannot be read is reported and passed over. */
export const actions: Kind<readonly ActionSyntax[]> = {
  read: parser => {
    const list: ActionSyntax[] = [];
    const ok = parser.block('the actions', () => {
      const one = parser.node('action', () => readAction(parser));
      if (one === undefined) parser.skipEntry();
      else list.push(one);
    });
    return ok ? list : undefined;
  },
};

function readAction(parser: Parser): ActionSyntax | undefined {
  const name = parser.name('the name of an action');
  if (name === undefined || !parser.expect(':')) return undefined;
  const { token } = parser;
  if (token.kind !== 'string') {
    parser.expected(`the label of \`${name.value}\`, in quotes`);
    return undefined;
  }
  parser.take();
  const label = { value: token.value, at: token.at };
  const modifiers: ModifierSyntax[] = [];
  if (!parser.accept('[') || parser.accept(']')) return { name, label, modifiers };
  do {
    const one = readModifier(parser);
    if (one === undefined) return undefined;
    modifiers.push(one);
  } while (parser.accept(','));
  return parser.expect(']') ? { name, label, modifiers } : undefined;
}

function readModifier(parser: Parser): ModifierSyntax | undefined {
  const { token } = parser;
  const { at } = token;
  const word = token.kind === 'word' ? token.text : '';
  const flag = FLAGS.find(one => one === word);
  if (flag !== undefined) {
    parser.take();
    return { is: flag, at };
  }
  const taken = TARGETS.find(one => one === word);
  if (taken === undefined && word !== 'when') {
    const fix = (): string | undefined => didYouMean(word, [...FLAGS, ...TARGETS, 'when']);
    parser.expected('what the action does, such as `confirms` or `feedback`', fix);
    return undefined;
  }
  parser.take();
  if (!parser.expect(':')) return undefined;
  const start = parser.at;
  if (taken === undefined) {
    const expr = parser.string('an expression over the output of the reader');
    return expr && { is: 'when', at, expr };
  }
  const target =
    taken === 'says' ? promptName.read(parser, taken) : parser.name(`a name for \`${taken}\``)?.value;
  return target === undefined ? undefined : { is: taken, at, target: { value: target, at: start } };
}
