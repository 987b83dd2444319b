import type { Report } from '../../compile/report.ts';
import { didYouMean, some } from '../../nearest.ts';
import type { VarSyntax } from '../../parse/vars.ts';
import { repeated } from '../names.ts';
import { FITTING } from '../presets.ts';
import type { Rule } from '../rule.ts';

/** C109, C125 to C127, C161: what is written about a var fits its type, and its default fits all of it. */
export const varDeclarations: Rule = (model, report) => {
  const declared = [...(model.workflow.properties.vars?.value ?? []), ...(model.file.vars?.value ?? [])];
  for (const one of declared) {
    checkDefault(one, report);
    checkEnum(one, report);
    checkPattern(one, report);
  }
};

function checkDefault({ name, type, default: literal }: VarSyntax, report: Report): void {
  // Any literal is JSON.
  if (literal === undefined || type === 'json' || FITTING[type].includes(literal.is)) return;
  const message = `the default of \`${name.value}\` is a ${literal.is}, but the var is a ${type}`;
  report.error('C109', message, { at: literal.at, fix: `write a ${type}, or change the type` });
}

function checkEnum({ name, type, enum: values, default: literal }: VarSyntax, report: Report): void {
  if (values === undefined) return;
  if (type !== 'string') {
    const message = `the var \`${name.value}\` is a ${type}, and only a string has an enum`;
    report.error('C125', message, { at: values.at, fix: 'make it a string, or take the enum out' });
    return;
  }
  for (const { value, at } of repeated(values.value)) {
    report.warn('C127', `the enum of \`${name.value}\` has \`${value}\` twice`, {
      at,
      fix: 'take one of them out',
    });
  }
  const words = values.value.map(one => one.value);
  if (literal?.is !== 'string' || words.includes(literal.value)) return;
  report.error('C126', `the default \`${literal.value}\` of \`${name.value}\` is not in its enum`, {
    at: literal.at,
    fix: () => didYouMean(literal.value, words) ?? `write ${some(words)}`,
  });
}

/** A pattern is only read here. To match it against anything might take any time. */
function checkPattern({ name, type, matching }: VarSyntax, report: Report): void {
  if (matching === undefined) return;
  const { value, at } = matching;
  if (type !== 'string') {
    const message = `the var \`${name.value}\` is a ${type}, and only a string matches a pattern`;
    report.error('C161', message, { at, fix: 'make it a string, or take the pattern out' });
  } else if (!isPattern(value)) {
    report.error('C161', `the pattern of \`${name.value}\` is no regular expression`, {
      at,
      fix: 'close its brackets, and write a backslash twice before what means itself',
    });
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
