import type { BundlePreset, PresetValue } from '@hearth/language/bundle.ts';
import type { Diagnostic, Position } from '@hearth/language/diagnostic.ts';
import type { Value } from '@hearth/language/value.ts';
import { readYaml, type YamlText } from './yaml-text.ts';

/** A preset as its file tells it. */
export interface ReadPreset {
  readonly preset: BundlePreset;
  readonly diagnostics: readonly Diagnostic[];
}

/** The values between two lines of `---`, and the words below. */
const PARTS = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n([\s\S]*))?$/;
/** A text that means to begin with values. */
const BEGUN = /^---[ \t]*(?:\r?\n|$)/;

/**
 * Reads `presets/<name>.md`: a front matter of `var: value` lines, and words for people, whose first paragraph says what
 * the preset is for. Both may be missing. What the values are worth is judged by the compiler, which knows the vars; a
 * front matter that cannot be read is `H209`, and the preset then sets nothing.
 */
export function readPreset(name: string, text: string): ReadPreset {
  const file = `presets/${name}.md`;
  const [whole, head = '', body = ''] = PARTS.exec(text) ?? [];
  const note = noteOf(whole === undefined ? text : body);
  const wrong = (problem: string, at: Position): ReadPreset => {
    const message = `The front matter of the preset "${name}" ${problem}.`;
    return {
      preset: { name, file, note, values: [] },
      diagnostics: [{ code: 'H209', severity: 'error', message, file, at }],
    };
  };
  if (whole === undefined && BEGUN.test(text)) return wrong('is never closed', { line: 1, column: 1 });
  const yaml = readYaml(head);
  if ('problem' in yaml) return wrong(yaml.problem, below(yaml.at));
  const { value } = yaml;
  if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    return wrong('holds no values of vars by their names', below(yaml.locate([])));
  const lines = head.split('\n');
  const values = Object.entries(value ?? {}).map(([key, one]) => ({
    name: { value: key, at: below(yaml.locateKey([key])) },
    value: valueOf(one, yaml.locate([key]), lines),
  }));
  return { preset: { name, file, note, values }, diagnostics: [] };
}

/** A place of the front matter in its file, in which the line of `---` is above. */
function below({ line, column }: Position): Position {
  return { line: line + 1, column };
}

/** A value and how it was written. YAML reads `1` and `1.0` as one number; for a var they are an int and a float. */
function valueOf(value: unknown, at: ReturnType<YamlText['locate']>, lines: readonly string[]): PresetValue {
  const as = (is: PresetValue['is'], known: Value): PresetValue => ({ is, value: known, at: below(at) });
  if (typeof value === 'string') return as('string', value);
  if (typeof value === 'boolean') return as('bool', value);
  if (typeof value === 'number') {
    const written = lines[at.line - 1]?.slice(at.column - 1) ?? '';
    const isFloat = !Number.isInteger(value) || /^[-+]?\d*(?:\.|\d[eE])/.test(written);
    const fits = isFloat ? Number.isFinite(value) : Number.isSafeInteger(value);
    return as(!fits ? 'number out of range' : isFloat ? 'float' : 'int', fits ? value : 0);
  }
  if (!Array.isArray(value)) return as(value === null ? 'null' : 'map', null);
  const isText = value.every(one => typeof one === 'string');
  // What YAML reads into is a value, but for numbers that are none.
  return as(isText ? 'list of strings' : 'list', value as Value);
}

/** The first paragraph of a text, headings aside, in one line. */
function noteOf(text: string): string {
  const words = text.replaceAll(/^#{1,6}(?:[ \t].*)?$/gm, '').trim();
  return (words.split(/\r?\n[ \t]*\r?\n/)[0] ?? '').split(/\s+/).join(' ');
}
