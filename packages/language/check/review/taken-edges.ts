import { grouped } from '../../compile/grouping.ts';
import type { GraphEdge, GraphNode } from '../../compile/model.ts';
import type { Report } from '../../compile/report.ts';
import { didYouMean, some } from '../../nearest.ts';
import type { ActionSyntax } from '../../parse/actions.ts';
import { ENDS } from '../../plan/review.ts';
import type { Rule } from '../rule.ts';

/** Nodes whose end may be no output. */
const MAY_END: readonly GraphNode['kind'][] = ['agent', 'judge', 'tool'];

/** H023 to H025, H030, H031: every action that moves has its one edge, and every edge is taken by something. */
export const takenEdges: Rule = (model, report) => {
  const bySource = grouped(model.edges, edge => edge.from);
  for (const node of model.nodes.values()) {
    const edges = bySource.get(node.name) ?? [];
    const taken = grouped(
      edges.filter(edge => edge.on !== null),
      edge => edge.on?.value ?? '',
    );
    const actions = new Map(actionsOf(node).map(action => [action.name.value, action]));
    for (const edge of edges) checkEdge(node, edge, actions, report);
    for (const action of actions.values()) checkAction(node.name, action, taken, report);
    for (const [name, own] of taken) checkSingle(node.name, name, own, report);
    if (node.kind === 'review') checkPlain(node.name, edges, report);
  }
};

function actionsOf({ syntax }: GraphNode): readonly ActionSyntax[] {
  if (syntax?.kind !== 'review' && syntax?.kind !== 'human') return [];
  return syntax.properties.actions?.value ?? [];
}

/** Among more actions than this nobody is shown a choice. */
const MOST = 50;

/** Whether the pause stays open when the action is taken. */
function stays({ modifiers }: ActionSyntax): boolean {
  return modifiers.some(one => one.is === 'aside' || one.is === 'says');
}

function checkEdge(
  node: GraphNode,
  { on, when, broken, label }: GraphEdge,
  actions: ReadonlyMap<string, ActionSyntax>,
  report: Report,
): void {
  if (on === null) return;
  const place = { at: on.at, node: node.name, edge: label };
  const action = actions.get(on.value);
  const ends: readonly string[] = MAY_END.includes(node.kind) ? ENDS : [];
  if (!action && !ends.includes(on.value)) {
    const names = [...(actions.size < MOST ? actions.keys() : []), ...ends];
    const what = actions.size > 0 ? `has no action \`${on.value}\`` : `never ends in \`${on.value}\``;
    report.error('H024', `\`${node.name}\` ${what}`, {
      ...place,
      fix: () =>
        didYouMean(on.value, names) ?? (names.length > 0 ? `it has ${some(names)}` : 'take `on` out'),
    });
  } else if (action && stays(action)) {
    report.error('H025', `the action \`${on.value}\` leaves the pause open, so its edge is never taken`, {
      ...place,
      fix: 'take the edge out',
    });
  }
  if (when !== null || broken !== null) {
    report.error(
      'H031',
      `an edge \`on ${on.value}\` is taken when that happens, and cannot have a condition`,
      {
        ...place,
        fix: 'take the `when` out, and decide behind the edge',
      },
    );
  }
}

function checkAction(
  node: string,
  action: ActionSyntax,
  taken: ReadonlyMap<string, readonly GraphEdge[]>,
  report: Report,
): void {
  const { value: name, at } = action.name;
  // Notes may be taken down without going anywhere.
  const mayStay = stays(action) || action.modifiers.some(one => one.is === 'notes');
  if (mayStay || taken.has(name)) return;
  report.error('H023', `the action \`${name}\` of \`${node}\` has no edge, so nothing says where it leads`, {
    at,
    node,
    fix: `add \`${node} -> NODE on ${name}\``,
  });
}

function checkSingle(node: string, name: string, edges: readonly GraphEdge[], report: Report): void {
  const [, second] = edges;
  if (second?.on == null) return;
  report.error('H023', `\`${node}\` has more than one edge \`on ${name}\``, {
    at: second.on.at,
    node,
    edge: second.label,
    fix: 'keep one of them',
  });
}

function checkPlain(node: string, edges: readonly GraphEdge[], report: Report): void {
  for (const { on, at, label } of edges) {
    if (on !== null) continue;
    report.error('H030', `an edge out of the review \`${node}\` is taken by an action, and this names none`, {
      at,
      node,
      edge: label,
      fix: 'add `on ACTION`',
    });
  }
}
