import type { Model } from '../../compile/model.ts';
import { guardsOthersWords } from '../../compile/plan-review.ts';
import { didYouMean } from '../../nearest.ts';
import type { ReviewSyntax } from '../../parse/review.ts';
import type { Rule } from '../rule.ts';

/** H016, H019, H034: a review shows an artifact, is read by an agent, and can be left. */
export const reviews: Rule = (model, report) => {
  const agents = [...model.nodes.values()].flatMap(one => (one.kind === 'agent' ? [one.name] : []));
  for (const { name: node, properties, at } of reviewsOf(model)) {
    const { artifact, reader } = properties;
    if (artifact === undefined) {
      report.error('H016', `the review \`${node}\` shows no artifact`, {
        at,
        node,
        fix: `add \`artifact: ${[...model.artifacts.keys()][0] ?? 'NAME'}\``,
      });
    }
    const read = reader && model.nodes.get(reader.value)?.kind;
    if (reader && read !== 'agent' && read !== 'judge') {
      report.error(
        'H019',
        `the reader \`${reader.value}\` of \`${node}\` is ${read ? 'no agent' : 'not declared'}`,
        {
          at: reader.at,
          node,
          fix: () => didYouMean(reader.value, agents) ?? `declare it: \`agent ${reader.value}:\``,
        },
      );
    }
    const actions = properties.actions?.value ?? [];
    const moves = actions.some(({ modifiers }) =>
      modifiers.every(one => one.is !== 'aside' && one.is !== 'says'),
    );
    if (!moves) {
      report.error('H034', `nobody can leave the review \`${node}\`: no action of it moves the run`, {
        at,
        node,
        fix: 'add an action with an edge, such as `stop: "Stop" [stops]`',
      });
    }
  }
};

/** H017: what a node requires is confirmed somewhere. */
export const requirements: Rule = (model, report) => {
  const confirmed = new Set(
    reviewsOf(model).flatMap(({ properties }) => {
      const actions = properties.actions?.value ?? [];
      const confirms = actions.some(({ modifiers }) => modifiers.some(one => one.is === 'confirms'));
      return confirms && properties.artifact ? [properties.artifact.value] : [];
    }),
  );
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax === null || !('requires' in syntax.properties)) continue;
    for (const { value, at } of syntax.properties.requires?.value ?? []) {
      if (confirmed.has(value) || !model.artifacts.has(value)) continue;
      report.error(
        'H017',
        `\`${node}\` requires \`${value}\`, which no review confirms, so it could never start`,
        {
          at,
          node,
          fix: `add a review of \`${value}\` with an action that \`confirms\``,
        },
      );
    }
  }
};

/** H032: no message joins a node that makes a declared artifact or acts on confirmed ones. */
export const guardedInboxes: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const { inbox } = syntax.properties;
    if (inbox?.value !== 'on' || !guardsOthersWords(model, syntax.properties)) continue;
    const why = syntax.properties.requires ? 'acts on confirmed artifacts' : 'makes an artifact';
    report.error('H032', `\`${node}\` ${why}, so words typed while it runs may not reach it`, {
      at: inbox.at,
      node,
      fix: 'take `inbox: on` out',
    });
  }
};

type NamedReview = { readonly name: string } & Pick<ReviewSyntax, 'properties' | 'at'>;

function reviewsOf(model: Model): readonly NamedReview[] {
  return [...model.nodes.values()].flatMap(({ name, syntax }) =>
    syntax?.kind === 'review' ? [{ name, properties: syntax.properties, at: syntax.name.at }] : [],
  );
}
