import type { Rule } from './rule.ts';

/** The session modes that go on with an earlier session. */
export const INHERITING: readonly string[] = ['inherit', 'inherit_if_available', 'fork'];

/** C009: a node where branches meet does not go on with one of their sessions. */
export const convergingSessions: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const { session, await: strategy } = syntax.properties;
    if (!strategy || !session || !INHERITING.includes(session.value)) continue;
    report.error('C009', `\`${node}\` awaits branches and cannot have \`session: ${session.value}\``, {
      at: session.at,
      node,
    });
  }
};
