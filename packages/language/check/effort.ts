import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

const LEVELS: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** C027: a reasoning effort in quotes is a level, unless the environment decides it. */
export const effort: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge' && syntax?.kind !== 'router') continue;
    if (syntax.kind === 'router' && syntax.properties.mode?.value !== 'llm') continue;
    const written = syntax.properties.reasoning_effort;
    // Empty says nothing.
    if (!written || ['', ...LEVELS].includes(written.value.level) || written.value.level.includes('$'))
      continue;
    report.error(
      'C027',
      `\`${written.value.level}\` is no reasoning effort; it is one of ${LEVELS.join(', ')}`,
      {
        at: written.at,
        node,
        fix: () => didYouMean(written.value.level, LEVELS),
      },
    );
  }
};
