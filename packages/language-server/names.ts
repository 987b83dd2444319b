import type { Token } from '@hearth/language/lex/token.ts';
import type { Tree } from '@hearth/language/parse/tree.ts';
import { VOCABULARY } from '@hearth/language/vocabulary/vocabulary.ts';
import type { PropertyWord } from '@hearth/language/vocabulary/word.ts';
import { type Path, pathsInExpression, pathsInText } from './references.ts';
import { Shapes } from './shapes.ts';
import type { Source } from './source.ts';

/*
 * Every name in a source: what it names, whether it is declared or used there, and where it stands. Definitions,
 * references, renaming, hover and the outline all read this one list, which is made from the tree.
 */

/** What a name can be the name of. */
export type NameKind =
  | 'node'
  | 'schema'
  | 'field'
  | 'prompt'
  | 'var'
  | 'preset'
  | 'attachment'
  | 'secret'
  | 'artifact'
  | 'cursor'
  | 'mcp_server'
  | 'loop'
  | 'action'
  | 'workflow';

/** One name at one place; `start` and `end` are offsets in UTF-16 units. */
export interface Name {
  readonly kind: NameKind;
  readonly text: string;
  /** Of a field: its schema. Of an action: the node at which it can be taken. Else empty. */
  readonly owner: string;
  readonly role: 'declared' | 'used';
  readonly start: number;
  readonly end: number;
}

/** Whether two names name the same thing. */
export function sameThing(a: Name, b: Name): boolean {
  return a.kind === b.kind && a.text === b.text && a.owner === b.owner;
}

/** All names of a source, in order. */
export function namesIn(source: Source): readonly Name[] {
  const reader = new NameReader(source);
  reader.file(source.parsed.tree);
  return reader.names.toSorted((a, b) => a.start - b.start);
}

/** The names that the text of a prompt in a file of its own reads; `nodes` use it. */
export function namesInPrompt(text: string, prompt: string, shapes: Shapes): readonly Name[] {
  return pathsInText(text).flatMap(path => namesOfPath(path, 0, shapes, shapes.inputOfPrompt(prompt)));
}

const DECLARES: Readonly<Record<string, NameKind>> = {
  schema: 'schema',
  prompt: 'prompt',
  cursor: 'cursor',
  mcp_server: 'mcp_server',
  artifact: 'artifact',
  workflow: 'workflow',
  ...Object.fromEntries(VOCABULARY.filter(one => one.node).map(one => [one.name, 'node' as const])),
};

const ENTRIES: Readonly<Record<string, NameKind>> = {
  var: 'var',
  preset: 'preset',
  attachment: 'attachment',
  secret: 'secret',
};

/** Words after which a modifier of an action names something. */
const TARGETS: Readonly<Record<string, NameKind>> = {
  reopens: 'artifact',
  notes: 'artifact',
  aside: 'node',
  says: 'prompt',
};

const REFERS: ReadonlySet<string> = new Set(['schema', 'prompt', 'node', 'artifact', 'mcp_server', 'cursor']);

/** Where a text stands: what `input` means there. */
interface Scope {
  /** The declaration around it: its keyword and its name. */
  readonly kind: string;
  readonly owner: string;
  readonly words: readonly PropertyWord[];
  /** The schema of `input` in references and expressions. */
  readonly input: string;
}

class NameReader {
  readonly names: Name[] = [];
  readonly #source: Source;
  readonly #shapes: Shapes;
  readonly #loops = new Set<string>();

  constructor(source: Source) {
    this.#source = source;
    this.#shapes = new Shapes(source.parsed.file);
  }

  file(tree: Tree): void {
    for (const child of treesIn(tree)) this.#declaration(child);
  }

  #declaration(tree: Tree): void {
    const [, name] = tokensOf(tree);
    const declares = DECLARES[tree.kind];
    const owner = declares === undefined ? '' : (name?.text ?? '');
    if (declares !== undefined && name !== undefined) this.#add(declares, name, 'declared');
    const words = VOCABULARY.find(one => one.name === tree.kind)?.properties ?? [];
    const input = tree.kind === 'prompt' ? this.#shapes.inputOfPrompt(owner) : this.#shapes.inputOf(owner);
    this.#body(tree, { kind: tree.kind, owner, words, input });
  }

  #body(tree: Tree, scope: Scope): void {
    this.#texts(tree, scope);
    for (const child of treesIn(tree)) {
      const entry = ENTRIES[child.kind];
      const [first] = tokensOf(child);
      if (child.kind === 'property') this.#property(child, scope);
      else if (child.kind === 'edge') this.#edge(child);
      else if (child.kind === 'action') this.#action(child, scope);
      else if (child.kind === 'field' && first !== undefined)
        this.#add('field', first, 'declared', scope.owner);
      else if (entry !== undefined && first !== undefined) {
        this.#add(entry, first, 'declared');
        if (entry === 'preset') for (const key of keysIn(child).slice(1)) this.#add('var', key, 'used');
        this.#body(child, scope);
      }
    }
  }

  #property(tree: Tree, scope: Scope): void {
    const [key, ...rest] = tokensOf(tree);
    const word = scope.words.find(one => one.name === key?.text);
    if (word?.name === 'cursors') {
      for (const one of keysIn(tree).slice(1)) if (one.text !== 'enabled') this.#add('cursor', one, 'used');
    } else if (word?.name === 'expr') {
      this.#fields(tree, scope);
    } else if (word?.refers !== undefined && REFERS.has(word.refers)) {
      for (const token of rest) if (token.kind === 'word') this.#add(word.refers as NameKind, token, 'used');
    } else if (word?.name === 'body') {
      const publisher = this.#shapes.publisherOf(scope.owner);
      for (const token of rest)
        if (token.kind === 'word') this.#field(token, this.#shapes.outputOf(publisher));
    }
    if (word?.name !== 'expr') this.#body(tree, { ...scope, words: word?.inside ?? [] });
  }

  /** The fields of a compute node, and the expressions that make them. */
  #fields(tree: Tree, scope: Scope): void {
    for (const key of keysIn(tree).slice(1)) this.#field(key, this.#shapes.outputOf(scope.owner));
    for (const token of tokensOf(tree)) if (token.kind === 'string') this.#expression(token, scope.input);
  }

  #action(tree: Tree, scope: Scope): void {
    const tokens = tokensOf(tree);
    const [name] = tokens;
    if (name !== undefined) this.#add('action', name, 'declared', scope.owner);
    const read = this.#shapes.outputOf(this.#shapes.readerOf(scope.owner));
    for (const [index, token] of tokens.entries()) {
      const before = tokens[index - 2];
      if (index < 3 || tokens[index - 1]?.text !== ':' || before === undefined) continue;
      const target = TARGETS[before.text];
      if (target !== undefined && token.kind === 'word') this.#add(target, token, 'used');
      if (before.text === 'when' && token.kind === 'string') this.#expression(token, read);
    }
  }

  #edge(tree: Tree): void {
    const ends = tokensOf(tree).filter(token => token.kind === 'word');
    for (const end of ends) this.#add('node', end, 'used');
    const from = ends.at(-2)?.text ?? '';
    const output = this.#shapes.outputOf(from);
    const scope = { kind: 'edge', owner: from, words: [], input: output };
    for (const clause of treesIn(tree)) {
      const [, ...rest] = tokensOf(clause);
      const words = rest.filter(token => token.kind === 'word');
      const [word] = words.slice(
        clause.kind === 'when' && words[0]?.text === 'not' && words.length > 1 ? 1 : 0,
      );
      if (clause.kind === 'as' && word !== undefined) {
        this.#add('loop', word, this.#loops.has(word.text) ? 'used' : 'declared');
        this.#loops.add(word.text);
      }
      if (clause.kind === 'on' && word !== undefined) this.#add('action', word, 'used', from);
      if (clause.kind === 'opens') for (const one of words) this.#add('artifact', one, 'used');
      if (clause.kind === 'when' && word !== undefined) this.#field(word, output);
      if (clause.kind === 'when') {
        for (const token of rest) if (token.kind === 'string') this.#expression(token, output);
        continue;
      }
      if (clause.kind === 'with') {
        for (const key of keysIn(clause)) this.#field(key, this.#shapes.inputOf(ends.at(-1)?.text ?? ''));
      }
      this.#texts(clause, scope);
    }
  }

  /** What the strings and the lines of prompts read. */
  #texts(tree: Tree, scope: Scope): void {
    for (const token of tokensOf(tree)) {
      if (token.kind !== 'string' && token.kind !== 'prompt_line') continue;
      for (const path of pathsInText(token.text)) this.#path(path, token, scope.input);
    }
  }

  #expression(token: Token, input: string): void {
    for (const path of pathsInExpression(token.text)) this.#path(path, token, input);
  }

  #path(path: Path, token: Token, input: string): void {
    const { start } = this.#source.placeOf(token);
    this.names.push(...namesOfPath(path, start, this.#shapes, input));
  }

  #field(token: Token, owner: string): void {
    if (owner !== '') this.#add('field', token, 'used', owner);
  }

  #add(kind: NameKind, token: Token, role: Name['role'], owner = ''): void {
    if (token.kind !== 'word') return;
    const { start, end } = this.#source.placeOf(token);
    this.names.push({ kind, text: token.text, owner, role, start, end });
  }
}

const SPACES: Readonly<Record<string, NameKind>> = {
  vars: 'var',
  outputs: 'node',
  artifacts: 'artifact',
  attachments: 'attachment',
  secrets: 'secret',
  loop: 'loop',
};

/** The names in a path; a first word that is no namespace is a field of `input`. */
function namesOfPath(path: Path, offset: number, shapes: Shapes, input: string): readonly Name[] {
  const used = (kind: NameKind, part: Path[number] | undefined, owner = ''): readonly Name[] =>
    part === undefined || part.text === '' || (kind === 'field' && owner === '')
      ? []
      : [{ kind, text: part.text, owner, role: 'used', start: offset + part.start, end: offset + part.end }];
  const [first, second, third] = path;
  if (first === undefined || first.text === 'run') return [];
  if (first.text === 'input') return used('field', second, input);
  const kind = SPACES[first.text];
  if (kind === undefined) return used('field', first, input);
  const named = used(kind, second);
  return first.text === 'outputs'
    ? [...named, ...used('field', third, shapes.outputOf(second?.text ?? ''))]
    : named;
}

/** The tokens that stand in a construct itself, without layout. */
function tokensOf(tree: Tree): readonly Token[] {
  return tree.children.filter((child): child is Token => !('children' in child) && child.text.trim() !== '');
}

function treesIn(tree: Tree): readonly Tree[] {
  return tree.children.filter((child): child is Tree => 'children' in child);
}

/** The words before a colon. */
function keysIn(tree: Tree): readonly Token[] {
  const tokens = tokensOf(tree);
  return tokens.filter((token, index) => token.kind === 'word' && tokens[index + 1]?.text === ':');
}
