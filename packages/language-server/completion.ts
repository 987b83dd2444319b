import { functionsOf } from '@hearth/language/expr/functions.ts';
import type { Profile } from '@hearth/language/lex/profile.ts';
import { CLAUSES, MODIFIERS, NAMESPACES, TYPES, VOCABULARY } from '@hearth/language/vocabulary/vocabulary.ts';
import type { PropertyWord } from '@hearth/language/vocabulary/word.ts';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver/node';
import { type Around, type Context, contextAt, type Edge } from './context.ts';
import { type Name, type NameKind, namesIn } from './names.ts';
import { Shapes } from './shapes.ts';
import { Source } from './source.ts';

/*
 * What may be written at a place: only what the language takes there.
 */

/** A source and what the files beside it add. */
export interface Known {
  readonly source: Source;
  /** Prompts in files of their own. */
  readonly prompts: Iterable<string>;
}

/** What may stand at `offset`, in UTF-16 units from the start; nothing where nothing is known to fit. */
export function completionsAt(known: Known, offset: number): readonly CompletionItem[] {
  return new Completer(known).at(contextAt(known.source, offset));
}

/** What may be written in the reference of a prompt that has a file of its own; `text` ends at the place. */
export function completionsInPrompt(known: Known, prompt: string, text: string): readonly CompletionItem[] {
  const open = text.lastIndexOf('{{');
  if (open < 0 || open < text.lastIndexOf('}}')) return [];
  const path = text
    .slice(open + 2)
    .replace(/^\s*!?\s*/, '')
    .split('.')
    .slice(0, -1);
  return new Completer(known).at({
    at: 'reference',
    path,
    around: { kind: 'prompt', owner: prompt, path: [] },
    edge: null,
  });
}

const ITEM_KINDS: Readonly<Record<NameKind, CompletionItemKind>> = {
  node: CompletionItemKind.Class,
  schema: CompletionItemKind.Interface,
  field: CompletionItemKind.Field,
  prompt: CompletionItemKind.Text,
  var: CompletionItemKind.Variable,
  preset: CompletionItemKind.Value,
  attachment: CompletionItemKind.File,
  secret: CompletionItemKind.Variable,
  artifact: CompletionItemKind.Struct,
  cursor: CompletionItemKind.Unit,
  mcp_server: CompletionItemKind.Module,
  loop: CompletionItemKind.Event,
  action: CompletionItemKind.Method,
  workflow: CompletionItemKind.Module,
};

/** Fields that an engine adds to the output of an agent. */
const SESSION: readonly string[] = ['_session_id', '_session_fingerprint'];
const PARTS: Readonly<Record<string, readonly string[]>> = {
  attachments: ['path', 'url', 'mime', 'size', 'sha256'],
  loop: ['iteration', 'max', 'previous_output'],
};
/** What a run knows of itself. */
const RUN: readonly string[] = [
  'id',
  'elapsed_seconds',
  'cost_usd',
  'tokens',
  'iterations',
  'max_duration_seconds',
  'max_cost_usd',
  'max_tokens',
  'max_iterations',
];
const SPACES: Readonly<Record<string, NameKind>> = {
  vars: 'var',
  outputs: 'node',
  artifacts: 'artifact',
  attachments: 'attachment',
  loop: 'loop',
  secrets: 'secret',
};

class Completer {
  readonly #known: Known;
  readonly #names: readonly Name[];
  readonly #shapes: Shapes;
  readonly #profile: Profile;

  constructor(known: Known) {
    this.#known = known;
    this.#names = namesIn(known.source);
    this.#shapes = new Shapes(known.source.parsed.file);
    this.#profile = known.source.parsed.file.profile;
  }

  at(context: Context): readonly CompletionItem[] {
    switch (context.at) {
      case 'nothing':
        return [];
      case 'declaration':
        return VOCABULARY.filter(one => this.#fits(one.profile)).map(({ name, header, means }) =>
          word(name, header, means, CompletionItemKind.Keyword),
        );
      case 'name':
        return this.#line(context.around);
      case 'value':
        return this.#value(context.around, context.name);
      case 'entering':
        return [...this.#declared('node'), ...ENDS];
      case 'clause':
        return this.#clause(context.edge, context.clause);
      case 'key':
        return [...this.#fields(this.#shapes.inputOf(context.edge.to)), ...SESSION.map(field)];
      case 'modifier':
        return Object.entries(MODIFIERS).map(([name, { form, means }]) =>
          word(name, form, means, CompletionItemKind.Keyword),
        );
      case 'target':
        return this.#target(context.modifier);
      case 'reference':
        return this.#path(context.path, this.#inputAt(context), false);
      case 'expression':
        return this.#path(context.path, this.#inputAt(context), true);
    }
  }

  /** The first words of a line in a block. */
  #line(around: Around): readonly CompletionItem[] {
    const last = around.path.at(-1);
    if (last === 'cursors')
      return [...this.#declared('cursor'), word('enabled', 'true', '', CompletionItemKind.Property)];
    if (last === 'expr') return this.#fields(this.#shapes.outputOf(around.owner));
    if (around.kind === 'presets' && around.path.length === 1) return this.#declared('var');
    const properties = this.#properties(around).map(({ name, takes, means }) =>
      word(name, takes, means, CompletionItemKind.Property),
    );
    const edges = around.kind === 'workflow' && around.path.length === 0 ? this.#declared('node') : [];
    return [...properties, ...edges];
  }

  #value(around: Around, name: string): readonly CompletionItem[] {
    const inVars = around.kind === 'vars' || around.kind === 'schema' || around.path.at(-1) === 'vars';
    if (inVars)
      return Object.entries(TYPES).map(([type, means]) =>
        word(type, type, means, CompletionItemKind.TypeParameter),
      );
    const inFiles = around.kind === 'attachments' && around.path.length === 0;
    if (inFiles) return ['file', 'image'].map(one => word(one, one, '', CompletionItemKind.EnumMember));
    const property = this.#properties(around).find(one => one.name === name);
    const words = (property?.values ?? []).map(one => word(one, name, '', CompletionItemKind.EnumMember));
    const refers = property?.refers;
    if (refers === undefined || refers === 'tool' || refers === 'capability' || refers === 'backend')
      return words;
    return [...words, ...this.#declared(refers)];
  }

  #properties({ kind, path }: Around): readonly PropertyWord[] {
    const entries = kind === 'attachments' || kind === 'secrets';
    if (entries && path.length === 0) return [];
    let words = VOCABULARY.find(one => one.name === kind)?.properties ?? [];
    for (const name of entries ? path.slice(1) : path)
      words = words.find(one => one.name === name)?.inside ?? [];
    return words.filter(one => this.#fits(one.profile));
  }

  #clause(edge: Edge, clause: string): readonly CompletionItem[] {
    if (clause === 'opens') return this.#declared('artifact');
    if (clause === 'on') {
      const actions = this.#names.filter(
        one => one.kind === 'action' && one.role === 'declared' && one.owner === edge.from,
      );
      return [
        ...actions.map(named),
        ...['failed', 'interrupted'].map(one => word(one, 'on', '', CompletionItemKind.Event)),
      ];
    }
    if (clause === 'when') return this.#fields(this.#shapes.outputOf(edge.from), 'bool');
    if (clause !== '') return [];
    return Object.entries(CLAUSES)
      .filter(([, { profile }]) => this.#fits(profile))
      .map(([name, { form, means }]) => word(name, form, means, CompletionItemKind.Keyword));
  }

  #target(modifier: string): readonly CompletionItem[] {
    if (modifier === 'reopens' || modifier === 'notes') return this.#declared('artifact');
    if (modifier === 'aside') return this.#declared('node');
    return modifier === 'says' ? this.#declared('prompt') : [];
  }

  /** The schema of `input` at a place. */
  #inputAt({ around, edge }: { readonly around: Around; readonly edge: Edge | null }): string {
    if (edge !== null) return this.#shapes.outputOf(edge.from);
    if (around.kind === 'prompt') return this.#shapes.inputOfPrompt(around.owner);
    if (around.path.at(-1) === 'actions') return this.#shapes.outputOf(this.#shapes.readerOf(around.owner));
    return this.#shapes.inputOf(around.owner);
  }

  #path(path: readonly string[], input: string, expression: boolean): readonly CompletionItem[] {
    const [space, owner] = path;
    if (space === undefined) {
      const spaces = Object.entries(NAMESPACES)
        .filter(([name]) => name !== 'secrets' || this.#fits(2))
        .map(([name, means]) => word(name, name, means, CompletionItemKind.Module));
      return expression ? [...this.#fields(input), ...spaces, ...functions(this.#profile)] : spaces;
    }
    if (path.length > 2) return [];
    if (space === 'input') return path.length === 1 ? this.#fields(input) : [];
    if (space === 'run') return path.length === 1 ? RUN.map(field) : [];
    if (owner === undefined) return this.#declared(SPACES[space]);
    if (space !== 'outputs') return (PARTS[space] ?? []).map(field);
    return [...this.#fields(this.#shapes.outputOf(owner)), ...SESSION.map(field)];
  }

  #declared(kind: NameKind | undefined): readonly CompletionItem[] {
    if (kind === undefined) return [];
    const names = this.#names.filter(one => one.kind === kind && one.role === 'declared');
    const items = new Map(names.map(one => [one.text, named(one)]));
    if (kind === 'prompt') {
      for (const prompt of this.#known.prompts) {
        if (!items.has(prompt))
          items.set(prompt, word(prompt, `prompts/${prompt}.md`, '', ITEM_KINDS.prompt));
      }
    }
    return [...items.values()];
  }

  #fields(schema: string, type?: string): readonly CompletionItem[] {
    const found = this.#known.source.parsed.file.declarations.find(
      one => one.kind === 'schema' && one.name.value === schema,
    );
    if (found?.kind !== 'schema') return [];
    return found.fields
      .filter(one => type === undefined || one.type === type)
      .map(one => word(one.name.value, one.type, '', CompletionItemKind.Field));
  }

  #fits(profile: number | undefined): boolean {
    return (profile ?? 1) <= this.#profile;
  }
}

const ENDS: readonly CompletionItem[] = [
  word('done', 'node', 'Ends the run well.', CompletionItemKind.Class),
  word('fail', 'node', 'Ends the run as failed.', CompletionItemKind.Class),
];

function word(label: string, detail: string, means: string, kind: CompletionItemKind): CompletionItem {
  return {
    label,
    kind,
    detail,
    ...(means === '' ? {} : { documentation: { kind: 'markdown', value: means } }),
  };
}

function named({ text, kind }: Name): CompletionItem {
  return word(text, kind, '', ITEM_KINDS[kind]);
}

function field(name: string): CompletionItem {
  return word(name, 'field', '', CompletionItemKind.Field);
}

function functions(profile: Profile): readonly CompletionItem[] {
  return functionsOf(profile).map(name => word(name, `${name}(…)`, '', CompletionItemKind.Function));
}
