import type { RouterNode } from '@hearth/language/plan/node.ts';
import type { PlanEdge } from '@hearth/language/plan.ts';
import type { Values } from '@hearth/language/value.ts';
import { canTake, edgeKey, nextInRotation } from '../edges.ts';
import { frameOf, placeOf } from '../frame.ts';
import { selectedEdges } from '../routes.ts';
import type { Plan } from '../runnable.ts';
import { shapeOf } from '../shape.ts';
import type { Branch, Fork } from '../place.ts';
import type { RunState, Token } from '../state.ts';
import { insideBranch } from './branch.ts';
import { copyOf } from './copy.ts';
import type { Draft } from './draft.ts';
import { arrive, cross, follow, forget, holdWithoutEdge, leave, settleAt, wayOf } from './flow.ts';
import { hold } from './recovery.ts';
import { unsafeBranches } from './workspace.ts';

/*
 * Routers. They pass their input on: along the first edge that holds, along one edge after the other, along every edge at
 * once, or along those that a model chose.
 */

/** Sends a token on that stands at a router which needs no model. */
export function route(draft: Draft, run: RunState, token: Token, node: RouterNode): void {
  draft.emit({ type: 'node', node: node.name, iteration: token.iteration, change: 'started' }, token);
  sendOn(draft, run, token, node, token.input);
}

/** Takes a token out of its node with what that gave, whatever the node is. */
export function goOn(draft: Draft, run: RunState, token: Token, output: Values): void {
  const node = draft.plan.nodes[token.node];
  if (node?.kind === 'router') sendOn(draft, run, token, node, { ...token.input, ...output });
  else leave(draft, run, token, output);
}

function sendOn(draft: Draft, run: RunState, token: Token, node: RouterNode, output: Values): void {
  const { plan } = draft;
  switch (node.mode) {
    case 'condition':
      return leave(draft, run, token, output);
    case 'fan_out_all': {
      const edges = plan.edges.filter(edge => edge.from === node.name);
      return fork(draft, run, token, edges, output);
    }
    case 'round_robin':
      return rotate(draft, run, token, output);
    case 'llm':
      return followSelected(draft, run, token, node, output);
    default:
      return node.mode satisfies never;
  }
}

function rotate(draft: Draft, run: RunState, token: Token, output: Values): void {
  const { plan } = draft;
  const { node } = token;
  settleAt(run, token, output);
  const inside = insideBranch(plan, run, token.branch);
  const choice = nextInRotation(plan, frameOf(run, token.branch), node, inside);
  if ('none' in choice) {
    holdWithoutEdge(draft, token, choice);
    return;
  }
  const place = placeOf(run, token.branch);
  place.rotation = { ...place.rotation, [node]: choice.next };
  follow(draft, run, token, choice.edge, output);
}

/** Goes on where a model chose. Of several edges to one target the first that can be taken is. */
function followSelected(draft: Draft, run: RunState, token: Token, node: RouterNode, output: Values): void {
  const { plan } = draft;
  const frame = frameOf(run, token.branch);
  const inside = insideBranch(plan, run, token.branch);
  const selected = selectedEdges(plan, node, output);
  const byTarget = new Map<string, PlanEdge>();
  for (const edge of selected) {
    if (canTake(plan, frame, edge, inside) && !byTarget.has(edge.to)) byTarget.set(edge.to, edge);
  }
  const edges = [...byTarget.values()];
  if (edges.length > 0) {
    fork(draft, run, token, edges, output);
    return;
  }
  settleAt(run, token, output);
  const loop = selected.find(edge => edge.loop !== null)?.loop ?? null;
  const none = loop === null ? ({ none: 'no_edge' } as const) : ({ none: 'loop_exhausted', loop } as const);
  holdWithoutEdge(draft, token, { ...none, skipped: [] });
}

/** Sends a token along each of several edges at once. With a single one there is nothing to meet, so the token takes it. */
export function fork(
  draft: Draft,
  run: RunState,
  token: Token,
  edges: readonly PlanEdge[],
  output: Values,
): void {
  const { plan } = draft;
  const { node: from, iteration } = token;
  settleAt(run, token, output);
  const [first] = edges;
  if (first === undefined) {
    holdWithoutEdge(draft, token, { none: 'no_edge', skipped: [] });
    return;
  }
  if (edges.length === 1) {
    follow(draft, run, token, first, output);
    return;
  }
  const made = forkOf(plan, run, token, edges);
  const unsafe = unsafeBranches(plan, made);
  if (unsafe !== null) {
    hold(draft, token, { cause: 'failed', code: 'WORKSPACE_SAFETY', detail: unsafe }, null);
    return;
  }
  draft.emit({ type: 'node', node: from, iteration, change: 'ended', edges: edges.map(wayOf) }, token);
  token.stage = { is: 'forked', fork: made };
  for (const [index, edge] of edges.entries()) {
    const branch = made.branches[index];
    if (branch === undefined || draft.run === null) return;
    const own: Token = { ...token, branch: branch.id, input: {}, stage: { is: 'aside', again: null } };
    run.tokens.push(own);
    cross(draft, run, own, edge, output);
    arrive(draft, run, own, edge.to, [edgeKey(plan, edge)]);
  }
  if (draft.run !== null) forget(draft, run, token.branch, from);
}

function forkOf(plan: Plan, run: RunState, token: Token, edges: readonly PlanEdge[]): Fork {
  const meets = shapeOf(plan).meeting(edges[0]?.to ?? '');
  const { loops, rotation, crossed } = frameOf(run, token.branch);
  const names = new Set<string>();
  const branches = edges.map((edge): Branch => {
    const id = nameOf(token, edge.to, names);
    names.add(id);
    return {
      id,
      target: edge.to,
      outputs: {},
      loops: copyOf(loops),
      ...(rotation === undefined ? {} : { rotation: { ...rotation } }),
      ...(crossed === undefined ? {} : { crossed: [...crossed] }),
      unsaid: null,
      end: null,
    };
  });
  return { meets, awaits: (meets === null ? null : plan.nodes[meets]?.await) ?? 'wait_all', branches };
}

/** `branch_<router>_<target>`; inside another branch after that one's name, and counted where a target comes twice. */
function nameOf(token: Token, target: string, taken: ReadonlySet<string>): string {
  const around = token.branch === null ? '' : `${token.branch}/`;
  const name = `${around}branch_${token.node}_${target}`;
  for (let nth = 1; ; nth += 1) {
    const candidate = nth === 1 ? name : `${name}_${nth}`;
    if (!taken.has(candidate)) return candidate;
  }
}
