import { parseTemplate } from '../refs/template-parser.ts';
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

/** C004: references in `with` values and loop caps are well-formed. */
export const edgeTemplates: Rule = (model, report) => {
  for (const edge of model.edges) {
    const { loop, label } = edge;
    for (const { key, at, parsed } of edge.with) {
      if (parsed.problem === null) continue;
      report.error('C004', `the value of \`${key}\` has ${parsed.problem.message}`, { at, edge: label });
    }
    if (typeof loop?.cap !== 'string') continue;
    const { template, problem } = parseTemplate(loop.cap.trim());
    const single = template.length === 1 && typeof template[0] === 'object';
    if (single || /^\d+$/.test(loop.cap.trim())) continue;
    const message = problem?.message ?? 'text that is neither a number nor one reference';
    report.error('C004', `the cap of loop \`${loop.name}\` has ${message}`, { at: loop.capAt, edge: label });
  }
};
