import type { Rule } from './rule.ts';

/** C004: references in prompts are well-formed. */
export const promptTemplates: Rule = (model, report) => {
  for (const { name, file, parsed, place } of model.prompts.values()) {
    if (parsed.problem === null) continue;
    report.error('C004', `the prompt \`${name}\` has ${parsed.problem.message}`, {
      at: place(parsed.problem.offset),
      file,
    });
  }
};

/** C004: references in `with` values are well-formed. */
export const edgeTemplates: Rule = (model, report) => {
  for (const edge of model.edges) {
    for (const { key, at, parsed } of edge.with) {
      if (parsed.problem === null) continue;
      report.error('C004', `the value of \`${key}\` has ${parsed.problem.message}`, { at, edge: edge.label });
    }
  }
};
