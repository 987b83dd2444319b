import { sandboxIsActive } from '../compile/sandbox.ts';
import { didYouMean } from '../nearest.ts';
import type { Profile } from '../lex/profile.ts';
import type { Rule } from './rule.ts';

const FIRST: readonly string[] = ['read', 'create', 'move', 'assign', 'label', 'close'].map(
  act => `board.${act}`,
);
/** What each profile knows. `board.comment` came with profile 2; it works in both. */
const KNOWN: Readonly<Record<Profile, readonly string[]>> = { 1: FIRST, 2: [...FIRST, 'board.comment'] };

const SHAPE = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?$/;

/** C080 to C082: capabilities are well-formed, known, and usable where they are given. */
export const capabilities: Rule = (model, report) => {
  const known = KNOWN[model.file.profile];
  const sandboxed = sandboxIsActive(model);
  const lists = [
    { list: model.workflow.properties.capabilities, node: undefined },
    ...Array.from(model.nodes.values(), ({ name, syntax }) => ({
      list: syntax?.kind === 'agent' || syntax?.kind === 'judge' ? syntax.properties.capabilities : undefined,
      node: name,
    })),
  ];
  for (const { list, node } of lists) {
    for (const { value, at } of list?.value ?? []) {
      const fix = (): string | undefined => didYouMean(value, known);
      if (!SHAPE.test(value)) {
        report.error('C081', `\`${value}\` is not written like a capability`, {
          at,
          node,
          fix: () => fix() ?? 'write it like `board.read`',
        });
      } else if (!known.includes(value)) {
        const later = KNOWN[2].includes(value);
        report.warn('C080', `${later ? 'profile 1 has' : 'there is'} no capability \`${value}\``, {
          at,
          node,
          fix: later ? 'begin the source with `dsl: 2`, which has it' : fix,
        });
      }
      if (sandboxed && node !== undefined && value.startsWith('board.')) {
        report.warn('C082', `\`${node}\` has \`${value}\`, which does not reach into the sandbox`, {
          at,
          node,
        });
      }
    }
  }
};
