import { inBranches } from '../../compile/branches.ts';
import type { Rule } from '../rule.ts';

/** C243, C268: there is one kept session, so only the trunk goes on in it; a slot is of a session that is kept. */
export const keptSessions: Rule = (model, report) => {
  const nodes = [...model.nodes.values()].flatMap(({ name: node, syntax }) =>
    syntax?.kind === 'agent' || syntax?.kind === 'judge' ? [{ node, properties: syntax.properties }] : [],
  );
  const kept = nodes.filter(({ properties }) => properties.session?.value === 'persist');
  const inside = kept.length === 0 ? new Set<string>() : inBranches(model);
  for (const { node, properties } of kept) {
    if (!inside.has(node) || !properties.session) continue;
    report.error('C243', `\`${node}\` is in a branch, where no session is kept`, {
      at: properties.session.at,
      node,
      fix: 'write `session: fresh`, or put it behind the node where the branches meet',
    });
  }
  for (const { node, properties } of nodes) {
    const { session, session_slot: slot } = properties;
    if (!slot || session?.value === 'persist') continue;
    report.error('C268', `\`${node}\` names a slot, but its session is not kept`, {
      at: slot.key,
      node,
      fix: 'write `session: persist`',
    });
  }
};
