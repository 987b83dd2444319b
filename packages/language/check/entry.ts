import { laterNodes } from '../compile/later-nodes.ts';
import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

/** C008: the workflow says where it begins. */
export const entry: Rule = ({ workflow, nodes, file }, report) => {
  const start = workflow.properties.entry;
  const name = workflow.name.value;
  if (start === undefined) {
    const [first] = nodes.keys();
    report.error('C008', `the workflow \`${name}\` has no entry`, {
      at: workflow.at,
      fix: `add \`entry: ${first ?? 'NODE'}\` to it`,
    });
  } else if (!nodes.has(start.value) && !laterNodes(file).has(start.value)) {
    report.error('C008', `the workflow \`${name}\` begins at \`${start.value}\`, which is not declared`, {
      at: start.at,
      fix: () => didYouMean(start.value, nodes.keys()),
    });
  }
};
