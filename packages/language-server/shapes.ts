import type { FileSyntax } from '@hearth/language/parse/file.ts';

/*
 * Which schema is whose: a node's input and output, and what `input` means in a prompt. An empty text stands for a schema
 * that is not known.
 */

interface Shape {
  readonly input: string;
  readonly output: string;
  readonly prompts: readonly string[];
  readonly publishes: string;
  readonly reader: string;
}

/** The schemas of one source, by node and by prompt. */
export class Shapes {
  readonly #nodes = new Map<string, Shape>();

  constructor(file: FileSyntax) {
    for (const one of file.declarations) {
      if (!('properties' in one) || this.#nodes.has(one.name.value)) continue;
      const words = new Map<string, string>();
      for (const [key, property] of Object.entries(one.properties)) {
        if (property !== undefined && typeof property.value === 'string') words.set(key, property.value);
      }
      this.#nodes.set(one.name.value, {
        input: words.get('input') ?? '',
        output: words.get('output') ?? '',
        prompts: ['system', 'user', 'instructions', 'interaction_prompt'].flatMap(
          key => words.get(key) ?? [],
        ),
        publishes: words.get('publish') ?? '',
        reader: words.get('reader') ?? '',
      });
    }
  }

  inputOf(node: string): string {
    return this.#nodes.get(node)?.input ?? '';
  }

  outputOf(node: string): string {
    return this.#nodes.get(node)?.output ?? '';
  }

  /** The schema of `input` in a prompt: that of the first node that uses it and has one. */
  inputOfPrompt(prompt: string): string {
    for (const { prompts, input } of this.#nodes.values())
      if (input !== '' && prompts.includes(prompt)) return input;
    return '';
  }

  /** The first node that publishes an artifact. */
  publisherOf(artifact: string): string {
    for (const [name, { publishes }] of this.#nodes) if (publishes === artifact) return name;
    return '';
  }

  /** The agent that reads what is typed at a review. */
  readerOf(review: string): string {
    return this.#nodes.get(review)?.reader ?? '';
  }
}
