import { isTerminal, nodeDeclarations } from '../compile/model.ts';
import type { Report } from '../compile/report.ts';
import type { FileSyntax } from '../parse/file.ts';
import type { Spanned } from '../parse/parser.ts';
import type { Rule } from './rule.ts';

/** C041: a schema is declared once. */
export const schemaNames: Rule = (model, report) => reportRepeated(model.file, 'schema', report);

/** C041: a prompt is declared once. */
export const promptNames: Rule = (model, report) => reportRepeated(model.file, 'prompt', report);

/** C041, C042: nodes of all kinds share one namespace, in which `done` and `fail` are taken. */
export const nodeNames: Rule = ({ file }, report) => {
  const declared = nodeDeclarations(file);
  for (const { name, kind } of declared) {
    if (!isTerminal(name.value)) continue;
    report.error('C042', `\`${name.value}\` is reserved and cannot name a ${kind}`, {
      at: name.at,
      node: name.value,
    });
  }
  const nodes = declared.filter(one => !isTerminal(one.name.value));
  for (const name of repeated(nodes.map(node => node.name))) {
    report.error('C041', `a node \`${name.value}\` is declared twice; only the first counts`, {
      at: name.at,
      node: name.value,
    });
  }
};

function reportRepeated(file: FileSyntax, kind: 'schema' | 'prompt', report: Report): void {
  const names = file.declarations.filter(one => one.kind === kind).map(one => one.name);
  for (const name of repeated(names)) {
    report.error('C041', `the ${kind} \`${name.value}\` is declared twice; only the first counts`, {
      at: name.at,
    });
  }
}

/** The names that occur before, in order. */
export function repeated(names: readonly Spanned<string>[]): readonly Spanned<string>[] {
  const seen = new Set<string>();
  return names.filter(({ value }) => seen.size === seen.add(value).size);
}
