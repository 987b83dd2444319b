import { isFuelled } from '../compile/fuel.ts';
import { ancestry } from '../compile/graph.ts';
import { loopsOf } from '../compile/loops.ts';
import type { GraphEdge, Model } from '../compile/model.ts';
import type { Loop } from '../plan.ts';
import type { Rule } from './rule.ts';
import { INHERITING } from './sessions.ts';

const KEYS = ['_session_id', '_session_fingerprint'] as const;

/**
 * H001: a conversation that loops around a person keeps its memory. Only the input carries a session, so an edge that
 * goes back to an agent without both keys lets it forget everything, and so does an agent that begins a fresh session
 * in spite of the keys; nothing else would say so.
 */
export const memoryOverLoop: Rule = (model, report) => {
  // Few sources have an agent that goes on with its session, and finding loops takes time.
  let loops: ReturnType<typeof loopsOf> | undefined;
  const ranBefore = ancestry(model);
  for (const edge of model.edges) {
    const agent = model.nodes.get(edge.to);
    if (agent?.kind !== 'agent' && agent?.kind !== 'judge') continue;
    const session = agent.syntax.kind === agent.kind ? agent.syntax.properties.session?.value : undefined;
    const goesOn = session !== undefined && INHERITING.includes(session);
    const forgets = (session === undefined || session === 'fresh') && KEYS.some(key => carries(edge, key));
    if (!goesOn && !forgets) continue;
    const again = edge.loop
      ? hasPerson(model, (loops ??= loopsOf(model)).get(edge.loop.name))
      : isFuelled(model, edge) && ranBefore(edge.from, edge.to);
    if (!again) continue;
    if (forgets) {
      report.warn(
        'H001',
        `the edge brings \`${edge.to}\` its session, but \`${edge.to}\` begins a fresh one each time: the conversation's memory is dropped`,
        {
          at: edge.at,
          node: edge.to,
          edge: edge.label,
          fix: 'add to the agent: session: inherit_if_available',
        },
      );
      continue;
    }
    const missing = KEYS.filter(key => !carries(edge, key));
    if (missing.length === 0) continue;
    const lines = missing.map(key => `${key}: "{{outputs.${edge.to}.${key}}}"`).join(', ');
    report.warn(
      'H001',
      `the edge goes back to \`${edge.to}\` without its session: the conversation's memory is dropped`,
      {
        at: edge.at,
        node: edge.to,
        edge: edge.label,
        fix: `add to its \`with\`: ${lines}`,
      },
    );
  }
};

/** Whether a person is waited for within a loop. */
function hasPerson(model: Model, loop: Loop | undefined): boolean {
  const kinds = loop?.body.map(node => model.nodes.get(node)?.kind) ?? [];
  return kinds.includes('human') || kinds.includes('review');
}

/** Whether an edge maps a session key from the agent that it enters. */
function carries(edge: GraphEdge, key: string): boolean {
  const refs = edge.with.findLast(mapping => mapping.key === key)?.parsed.refs ?? [];
  const [namespace, ...rest] = refs.length === 1 ? (refs[0]?.ref.path ?? []) : [];
  if (namespace === 'input') return edge.from === edge.to && rest.join('.') === key;
  return namespace === 'outputs' && rest.length === 2 && rest[0] === edge.to && rest[1] === key;
}
