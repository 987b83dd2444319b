import { didYouMean } from '../nearest.ts';
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

/** C070 to C072: presets are named once and set vars that exist to values that fit. */
export const presets: Rule = (model, report) => {
  const all = model.file.presets?.value ?? [];
  for (const { value, at } of repeated(all.map(one => one.name))) {
    report.error('C072', `the preset \`${value}\` is declared twice; only the first counts`, { at });
  }
  const seen = new Set<string>();
  for (const { name: preset, values } of all) {
    // What a second preset of a name says is not looked at.
    if (seen.size === seen.add(preset.value).size) continue;
    for (const { name, value } of values) {
      const type = model.vars.get(name.value)?.type;
      if (type === undefined) {
        const fix = (): string | undefined => didYouMean(name.value, model.vars.keys());
        report.error('C070', `the preset \`${preset.value}\` sets \`${name.value}\`, which is no var`, {
          at: name.at,
          fix,
        });
      } else if (!FITTING[type].includes(value.is)) {
        const message = `the preset \`${preset.value}\` sets \`${name.value}\` to a ${value.is}, but it is a ${type}`;
        report.error('C071', message, { at: value.at });
      }
    }
  }
};
