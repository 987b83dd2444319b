import type { Position } from '../diagnostic.ts';
import { withoutTrailing } from '../ends.ts';
import type { Profile } from '../lex/profile.ts';
import type { PromptSyntax } from '../parse/prompt.ts';
import { type ParsedTemplate, parseTemplate } from '../refs/template-parser.ts';
import { TextPlaces } from '../text-places.ts';

/** A prompt's text, parsed, with the way back from an offset in it to its place in a file. */
export interface PromptText {
  readonly name: string;
  /** The file it stands in; `undefined` for the main source. */
  readonly file: string | undefined;
  readonly parsed: ParsedTemplate;
  readonly place: (offset: number) => Position;
}

/** A prompt declared in the source. */
export function promptOf(prompt: PromptSyntax, profile: Profile): PromptText {
  const text = prompt.lines.map(line => line.value).join('\n');
  const places = new TextPlaces(text);
  const place = (offset: number): Position => {
    const { line, column } = places.at(offset);
    const start = prompt.lines[line]?.at ?? prompt.at;
    return { line: start.line, column: start.column + column };
  };
  return { name: prompt.name.value, file: undefined, parsed: parseTemplate(text, profile), place };
}

/** The prompts that stand in files of the bundle, by name. A declared prompt of the same name comes before them. */
export function promptsOfBundle(
  prompts: Readonly<Record<string, string>>,
  profile: Profile,
): Map<string, PromptText> {
  const found = new Map<string, PromptText>();
  for (const [name, source] of Object.entries(prompts).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const text = withoutTrailing(source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), '\n');
    const places = new TextPlaces(text);
    const place = (offset: number): Position => {
      const { line, column } = places.at(offset);
      return { line: line + 1, column: column + 1 };
    };
    found.set(name, { name, file: `prompts/${name}.md`, parsed: parseTemplate(text, profile), place });
  }
  return found;
}
