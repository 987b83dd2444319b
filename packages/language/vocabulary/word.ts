import type { Profile } from '../lex/profile.ts';

/*
 * What a word of the language is, for people: completion, hover and the reference all read these tables. The parser
 * does not; a test holds the two together.
 */

/** What a name in a value names. */
export type Refers =
  | 'schema'
  | 'prompt'
  | 'node'
  | 'artifact'
  | 'mcp_server'
  | 'cursor'
  | 'tool'
  | 'capability'
  | 'backend';

/** A property as documents, completion and hovers speak of it. */
export interface PropertyWord {
  readonly name: string;
  /** How its value is written: `"text"`, `NAME`, `[NAME, …]`, `1`, `block`. */
  readonly takes: string;
  /** One sentence or two, as Markdown. */
  readonly means: string;
  /** The words to choose from. */
  readonly values?: readonly string[];
  readonly refers?: Refers;
  /** The properties of its block; none where the block has names of the author's own. */
  readonly inside?: readonly PropertyWord[];
  /** 2 when profile 1 does not know it. */
  readonly profile?: Profile;
}

/**
 * A declaration as documents, completion and hovers speak of it, with its properties in the order they are offered.
 */
export interface DeclarationWord {
  readonly name: string;
  /** How its header is written: `agent NAME:`, `vars:`. */
  readonly header: string;
  readonly means: string;
  /** Whether it is a node of the graph. */
  readonly node: boolean;
  readonly properties: readonly PropertyWord[];
  readonly profile?: Profile;
}

type Rest = Partial<Pick<PropertyWord, 'values' | 'refers' | 'inside' | 'profile'>>;

/** A property whose value is written as `takes` says. */
export function word(name: string, takes: string, means: string, rest: Rest = {}): PropertyWord {
  return { name, takes, means, ...rest };
}

/** A property whose value is a text in quotes. */
export function text(name: string, means: string, rest: Rest = {}): PropertyWord {
  return word(name, '"text"', means, rest);
}

/** A property whose value is a whole number. */
export function int(name: string, means: string): PropertyWord {
  return word(name, '1', means);
}

/** A property whose value is a number. */
export function num(name: string, means: string): PropertyWord {
  return word(name, '1.5', means);
}

/** A property that is `true` or `false`. */
export function bool(name: string, means: string): PropertyWord {
  return word(name, 'true', means, { values: ['true', 'false'] });
}

/** One of some words; the first is the one that counts when the property is left out. */
export function choice(name: string, values: readonly string[], means: string): PropertyWord {
  return word(name, values.join(' | '), means, { values });
}

/** The name of something that is declared. */
export function name(own: string, refers: Refers, means: string): PropertyWord {
  return word(own, refers.toUpperCase(), means, { refers });
}

/** A list of names. */
export function names(own: string, refers: Refers, means: string): PropertyWord {
  return word(own, `[${refers.toUpperCase()}, …]`, means, { refers });
}

/** A property whose value is a list of texts. */
export function texts(own: string, means: string): PropertyWord {
  return word(own, '["text", …]', means);
}

/** A property with a block of its own; `inside` are the properties that may stand in it. */
export function block(own: string, means: string, inside: readonly PropertyWord[]): PropertyWord {
  return word(own, 'block', means, { inside });
}
