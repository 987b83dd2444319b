import type {
  AgentNode,
  AwaitAnswersNode,
  ComputeNode,
  HumanNode,
  JudgeNode,
  PlanNode,
  ReviewNode,
  RouterNode,
  TerminalNode,
  ToolNode,
} from '@hearth/language/plan/node.ts';
import type { EffectKind } from './entry.ts';
import type { Plan as WholePlan } from '@hearth/language/plan.ts';

/*
 * What the engine can run of what the language can say. The machine is written for the narrowed plan, so that it stays
 * exhaustive over its nodes; whatever is not in it is named here and refused before a run begins.
 */

/** A node that the machine has an effect for. */
export type RunnableNode =
  | ModelNode
  | ToolNode
  | ComputeNode
  | HumanNode
  | ReviewNode
  | RouterNode
  | AwaitAnswersNode
  | TerminalNode;

/** A node that a backend runs; a judge is an agent whose role is a verdict. */
export type ModelNode = AgentNode | JudgeNode;

/** Whether a backend runs the node, so that it has sessions, tools and a budget. */
export function isModelNode(node: RunnableNode | undefined): node is ModelNode {
  return node?.kind === 'agent' || node?.kind === 'judge';
}

/** What runs when a token is at a node; `null` where nothing does. */
export function effectKind(node: RunnableNode | undefined): EffectKind | null {
  // A human node is ready only where a model answers it.
  if (isModelNode(node) || node?.kind === 'human') return 'agent';
  if (node?.kind === 'router') return node.mode === 'llm' ? 'agent' : null;
  return node?.kind === 'tool' || node?.kind === 'compute' ? node.kind : null;
}

/** A plan of which the engine can run every part. */
export interface Plan extends Omit<WholePlan, 'nodes'> {
  readonly nodes: Readonly<Record<string, RunnableNode>>;
}

/** The plan, narrowed; or, in the order of the plan, what the engine cannot run of it yet. */
export type Narrowed =
  | { readonly plan: Plan; readonly missing: null }
  | { readonly plan: null; readonly missing: readonly string[] };

const PROJECT_SERVERS = 'tool servers of the project';

/**
 * Narrows a plan to what the engine runs, or names all that it does not, so that a conversation is refused before it
 * begins.
 */
export function runnable(plan: WholePlan): Narrowed {
  const nodes = Object.values(plan.nodes);
  const missing = [
    ...(plan.unsupported ?? []),
    ...(Object.values(plan.mcpServers ?? {}).some(one => one.auth !== null) ? ['OAuth of tool servers'] : []),
    ...(plan.mcp?.autoloadProject === true ? [PROJECT_SERVERS] : []),
    ...(plan.sandbox && plan.sandbox.mode !== 'none' ? ['sandboxes'] : []),
    ...nodes.flatMap(missingOf),
  ];
  const whole = missing.length === 0 && nodes.every(isRunnable);
  // Every node was looked at, which is what the narrowed type says.
  return whole ? { plan: plan as Plan, missing: null } : { plan: null, missing: [...new Set(missing)] };
}

function isRunnable(node: PlanNode): node is RunnableNode {
  return missingOf(node).length === 0;
}

function missingOf(node: PlanNode): readonly string[] {
  switch (node.kind) {
    case 'compute':
    case 'done':
    case 'fail':
    case 'review':
    case 'router':
    case 'human':
    case 'await_answers':
      return [];
    case 'tool':
      return node.sandbox && node.sandbox.mode !== 'none' ? ['sandboxes'] : [];
    case 'agent':
    case 'judge':
      return [
        ...(node.mcp?.autoloadProject === true ? [PROJECT_SERVERS] : []),
        ...(node.sandbox && node.sandbox.mode !== 'none' ? ['sandboxes'] : []),
      ];
    default:
      return node satisfies never;
  }
}
