import { durationOf } from '../duration.ts';
import type { Rule } from './rule.ts';

/** H005: a duration can be read; one that cannot bounds nothing. */
export const durations: Rule = ({ workflow }, report) => {
  const budget = workflow.properties.budget?.value;
  for (const limits of [budget, budget?.lifetime?.value]) {
    const duration = limits?.max_duration;
    // Empty says nothing, as everywhere in profile 1.
    if (!duration || duration.value === '' || durationOf(duration.value) !== undefined) continue;
    report.warn('H005', `\`${duration.value}\` is no duration, so nothing bounds the time`, {
      at: duration.at,
      fix: 'write it like `45m`, `1h30m` or `90s`',
    });
  }
};

/** C037: no node is allowed more tokens than the workflow as a whole. */
export const nodeTokens: Rule = (model, report) => {
  const most = model.workflow.properties.budget?.value.max_tokens?.value ?? 0;
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const own = syntax.properties.max_tokens;
    if (!own || most === 0 || own.value <= most) continue;
    report.warn('C037', `\`${node}\` may use ${own.value} tokens, but the workflow only ${most}`, {
      at: own.at,
      node,
    });
  }
};
