import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';
import { sandboxIsActive } from './sandbox.ts';

const KNOWN: readonly string[] = ['read', 'create', 'move', 'assign', 'label', 'close', 'comment'].map(
  act => `board.${act}`,
);

const SHAPE = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?$/;

/** C080 to C082: capabilities are well-formed, known, and usable where they are given. */
export const capabilities: Rule = (model, report) => {
  const lists = [
    { list: model.workflow.properties.capabilities, node: undefined },
    ...Array.from(model.nodes.values(), ({ name, syntax }) => ({
      list: syntax?.kind === 'agent' || syntax?.kind === 'judge' ? syntax.properties.capabilities : undefined,
      node: name,
    })),
  ];
  for (const { list, node } of lists) {
    for (const { value, at } of list?.value ?? []) {
      const fix = didYouMean(value, KNOWN);
      if (!SHAPE.test(value)) {
        report.error('C081', `\`${value}\` is not written like a capability`, {
          at,
          node,
          fix: fix ?? 'write it like `board.read`',
        });
      } else if (!KNOWN.includes(value)) {
        report.warn('C080', `there is no capability \`${value}\``, { at, node, fix });
      }
    }
    const board = list?.value.find(one => one.value.startsWith('board.'));
    if (node !== undefined && board && sandboxIsActive(model)) {
      report.warn('C082', `\`${node}\` has \`${board.value}\`, which does not reach into the sandbox`, {
        at: board.at,
        node,
      });
    }
  }
};
