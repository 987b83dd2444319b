import type { AgentNode, RouterNode } from '@hearth/language/plan/node.ts';
import { outputName } from './routes.ts';
import { isModelNode, type ModelNode, type Plan } from './runnable.ts';

/**
 * A node that a backend runs, as an agent; `null` for one that needs none. A router whose mode is `llm` is an agent that
 * may do nothing but answer.
 */
export function modelNode(plan: Plan, name: string): ModelNode | null {
  const node = plan.nodes[name];
  if (isModelNode(node)) return node;
  return node?.kind === 'router' && node.mode === 'llm' ? chooser(plan, node) : null;
}

function chooser(plan: Plan, node: RouterNode): AgentNode {
  const { name, input, model, backend, provider, system, user, effort } = node;
  return {
    kind: 'agent',
    name,
    input,
    output: outputName(plan, name),
    await: node.await,
    model,
    backend,
    provider,
    system,
    user,
    effort,
    publish: null,
    session: 'fresh',
    interaction: 'none',
    tools: [],
    capabilities: [],
    toolMaxSteps: null,
    maxTokens: null,
    readonly: true,
    inbox: 'off',
  };
}
