import type { PresetValue } from '../bundle.ts';
import type { Model } from '../compile/model.ts';
import type { Report } from '../compile/report.ts';
import { didYouMean } from '../nearest.ts';
import type { Spanned } from '../parse/parser.ts';
import type { Literal } from '../parse/vars.ts';
import type { Type } from '../plan.ts';
import { repeated } from './names.ts';
import type { Rule } from './rule.ts';

/** The literals that may be written for a type. */
export const FITTING: Readonly<Record<Type, readonly Literal['is'][]>> = {
  string: ['string'],
  bool: ['bool'],
  int: ['int'],
  float: ['int', 'float'],
  json: ['string'],
  'string[]': ['string'],
};

/** What a file may hold for a type and no literal can say. */
const LISTS: Readonly<Partial<Record<Type, readonly PresetValue['is'][]>>> = {
  json: ['list of strings', 'list'],
  'string[]': ['list of strings'],
};

/** C070 to C072, H210: presets are named once and set vars that exist to values that fit. */
export const presets: Rule = (model, report) => {
  const all = model.file.presets?.value ?? [];
  for (const { value, at } of repeated(all.map(one => one.name))) {
    report.error('C072', `the preset \`${value}\` is declared twice; only the first counts`, { at });
  }
  const seen = new Set<string>();
  for (const { name, values } of all) {
    // What a second preset of a name says is not looked at.
    if (seen.size === seen.add(name.value).size) continue;
    checkValues(model, report, { name: name.value, values });
  }
  for (const preset of model.presetFiles) {
    if (!seen.has(preset.name)) checkValues(model, report, preset);
    else {
      const { file } = preset;
      report.warn(
        'H210',
        `the preset \`${preset.name}\` of the graph comes before this file, so no run uses it`,
        {
          at: { line: 1, column: 1 },
          file,
          fix: 'take one of them out, or rename the file',
        },
      );
    }
  }
};

interface Checked {
  readonly name: string;
  /** Where it stands, when that is not the graph. */
  readonly file?: string;
  readonly values: readonly { readonly name: Spanned<string>; readonly value: Literal | PresetValue }[];
}

function checkValues({ vars }: Model, report: Report, { name: preset, file, values }: Checked): void {
  for (const { name, value } of values) {
    const type = vars.get(name.value)?.type;
    if (type === undefined) {
      const fix = (): string | undefined => didYouMean(name.value, vars.keys());
      report.error('C070', `the preset \`${preset}\` sets \`${name.value}\`, which is no var`, {
        at: name.at,
        file,
        fix,
      });
    } else if (![...FITTING[type], ...(LISTS[type] ?? [])].includes(value.is)) {
      const message = `the preset \`${preset}\` sets \`${name.value}\` to a ${value.is}, but it is a ${type}`;
      report.error('C071', message, { at: value.at, file });
    }
  }
}
