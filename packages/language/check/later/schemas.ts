import type { Rule } from '../rule.ts';

/** C140: a schema says something. */
export const emptySchemas: Rule = (model, report) => {
  for (const { name, fields } of model.schemas.values()) {
    if (fields.length > 0) continue;
    const fix = 'add a field, or leave the schema out where nothing is known';
    report.warn('C140', `the schema \`${name.value}\` has no fields`, { at: name.at, fix });
  }
};
