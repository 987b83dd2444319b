import { interactionOf } from '../../compile/interaction.ts';
import type { Model } from '../../compile/model.ts';
import { durationOf } from '../../duration.ts';
import { didYouMean } from '../../nearest.ts';
import type { Rule } from '../rule.ts';

/** C122, C241, C242: a wait for answers has an end, and somebody asks what it waits for. */
export const awaitedAnswers: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'await_answers') continue;
    const { from, timeout } = syntax.properties;
    if (timeout === undefined) {
      const message = `the await_answers \`${node}\` has no \`timeout\``;
      report.error('C241', message, { at: syntax.name.at, node, fix: 'add `timeout: "10m"`' });
    } else if (!((durationOf(timeout.value) ?? 0) > 0)) {
      report.error('C122', `the timeout \`${timeout.value}\` of \`${node}\` cannot be read`, {
        at: timeout.at,
        node,
        fix: 'write it like `"10m"`, `"1h30m"` or `"90s"`',
      });
    }
    if (from === undefined && askers(model).length === 0) {
      report.warn('C242', `\`${node}\` waits for answers, and no agent asks without waiting`, {
        at: syntax.name.at,
        node,
        fix: 'write `interaction: async` in the agent that asks',
      });
    }
    for (const { value, at } of from?.value ?? []) {
      if (askers(model).includes(value)) continue;
      report.warn(
        'C242',
        `\`${node}\` waits for answers to \`${value}\`, which asks nothing without waiting`,
        {
          at,
          node,
          fix: () => didYouMean(value, askers(model)) ?? 'name an agent with `interaction: async`',
        },
      );
    }
  }
};

/** The nodes that may ask without waiting. */
function askers(model: Model): readonly string[] {
  return [...model.nodes.values()].flatMap(({ name, syntax }) =>
    (syntax?.kind === 'agent' || syntax?.kind === 'judge') &&
    interactionOf(model, syntax.properties.interaction?.value) === 'async'
      ? [name]
      : [],
  );
}
