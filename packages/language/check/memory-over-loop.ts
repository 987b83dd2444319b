import { isFuelled } from '../compile/fuel.ts';
import { ancestry } from '../compile/ancestry.ts';
import { loopsWithPersons } from '../compile/loop-persons.ts';
import type { GraphEdge, Model } from '../compile/model.ts';
import type { Rule } from './rule.ts';
import { INHERITING } from './sessions.ts';

const KEYS = ['_session_id', '_session_fingerprint'] as const;

/**
 * H001: a conversation that loops around a person keeps its memory. Only the input carries a session, so an edge that
 * goes back to an agent without both keys lets it forget everything, and so does an agent that begins a fresh session
 * in spite of the keys; nothing else would say so.
 */
export const memoryOverLoop: Rule = (model, report) => {
  const candidates = model.edges.flatMap(edge => candidateOf(model, edge));
  // Few sources have one, and to look for loops takes time.
  if (candidates.length === 0) return;
  const hasPerson = loopsWithPersons(model);
  const { ranBefore, prepare } = ancestry(model);
  prepare(candidates.map(({ edge }) => ({ namespace: 'outputs', name: edge.from, consumer: edge.to })));
  for (const { edge, forgets } of candidates) {
    const again = edge.loop
      ? hasPerson(edge.loop.name)
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

interface Candidate {
  readonly edge: GraphEdge;
  /** Whether its agent begins a fresh session although the edge brings one. */
  readonly forgets: boolean;
}

/** An edge to an agent that goes on in a session, or that is given one and does not. */
function candidateOf(model: Model, edge: GraphEdge): readonly Candidate[] {
  const agent = model.nodes.get(edge.to);
  if (agent?.kind !== 'agent' && agent?.kind !== 'judge') return [];
  const session = agent.syntax.kind === agent.kind ? agent.syntax.properties.session?.value : undefined;
  const goesOn = session !== undefined && INHERITING.includes(session);
  const forgets = (session === undefined || session === 'fresh') && KEYS.some(key => carries(edge, key));
  return goesOn || forgets ? [{ edge, forgets }] : [];
}

/** Whether an edge maps a session key from the agent that it enters. */
function carries(edge: GraphEdge, key: string): boolean {
  const refs = edge.with.findLast(mapping => mapping.key === key)?.parsed.refs ?? [];
  const [namespace, ...rest] = refs.length === 1 ? (refs[0]?.ref.path ?? []) : [];
  if (namespace === 'input') return edge.from === edge.to && rest.join('.') === key;
  return namespace === 'outputs' && rest.length === 2 && rest[0] === edge.to && rest[1] === key;
}
