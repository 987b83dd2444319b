import { cursorsOf, hasValue, isOpen } from '../compile/cursors.ts';
import { didYouMean, some } from '../nearest.ts';
import type { Rule } from './rule.ts';

/** C085, C086: a cursor is declared once, by distinct values or by bands that do not overlap. */
export const cursorDeclarations: Rule = ({ file }, report) => {
  for (const { code, message, at } of cursorsOf(file).problems) report.error(code, message, { at });
};

/** C083, C084: the cursors that an agent sets exist and have the value. */
export const cursorSettings: Rule = (model, report) => {
  const { cursors } = cursorsOf(model.file);
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    for (const { name, value } of syntax.properties.cursors?.value.settings ?? []) {
      const cursor = cursors.get(name.value);
      if (cursor === undefined) {
        const fix = (): string | undefined => didYouMean(name.value, cursors.keys());
        report.warn('C083', `the cursor \`${name.value}\` is not declared`, { at: name.at, node, fix });
      } else if (!isOpen(value.value) && !hasValue(cursor, value.value)) {
        const names = cursor.values.map(one => one.name);
        const known = names.length > 0 ? `use ${some(names)}` : 'write a number within one of its bands';
        report.error('C084', `the cursor \`${name.value}\` has no value \`${value.value}\``, {
          at: value.at,
          node,
          fix: () => didYouMean(value.value, names) ?? known,
        });
      }
    }
  }
};
