import type { AgentSyntax } from '../parse/agent.ts';
import type { ComputeSyntax } from '../parse/compute.ts';
import type { HumanSyntax } from '../parse/human.ts';
import type { PlanNode } from '../plan/node.ts';
import { chatField } from './chat-field.ts';
import { interactionOf } from './interaction.ts';
import { exprOf, type GraphNode, type Model } from './model.ts';
import { outputSchema } from './outputs.ts';

/** The plan's node for a graph node; null for a kind that cannot be run yet, which a check has refused. */
export function planNode(model: Model, node: GraphNode): PlanNode | null {
  const { name, syntax } = node;
  if (syntax === null) return { kind: node.kind, name, input: null, output: null, await: null };
  switch (syntax.kind) {
    case 'agent':
      return agent(model, name, syntax);
    case 'compute':
      return compute(model, name, syntax);
    case 'human':
      return human(model, name, syntax);
    case 'judge':
    case 'router':
    case 'tool':
      return null;
  }
}

function agent(model: Model, name: string, { properties }: AgentSyntax): PlanNode {
  const { properties: workflow } = model.workflow;
  const listed = (properties.capabilities ?? workflow.capabilities)?.value ?? [];
  return {
    kind: 'agent',
    ...baseOf(name, properties),
    model: properties.model?.value ?? null,
    backend: properties.backend?.value ?? null,
    provider: properties.provider?.value ?? null,
    system: properties.system?.value ?? null,
    user: properties.user?.value ?? null,
    publish: properties.publish?.value ?? null,
    session: properties.session?.value ?? 'fresh',
    interaction: interactionOf(model, properties.interaction?.value) ?? 'none',
    tools: properties.tools?.value.map(tool => tool.value) ?? null,
    capabilities: listed.map(capability => capability.value),
    // 0 means unset.
    toolMaxSteps: properties.tool_max_steps?.value || null,
    maxTokens: properties.max_tokens?.value || null,
    effort: properties.reasoning_effort?.value.level ?? null,
    readonly: properties.readonly?.value ?? false,
    inbox: properties.inbox?.value ?? 'on',
  };
}

function compute(model: Model, name: string, { properties }: ComputeSyntax): PlanNode {
  const fields = (model.fields.get(name) ?? []).flatMap(({ entry, parsed }) => {
    const expr = exprOf(parsed);
    return expr === null ? [] : [{ name: entry.name.value, expr }];
  });
  return { kind: 'compute', ...baseOf(name, properties), fields };
}

function human(model: Model, name: string, { properties }: HumanSyntax): PlanNode {
  const field = chatField(outputSchema(model, name));
  const pause = properties.pause?.value ?? (field === null ? 'input' : 'chat');
  return {
    kind: 'human',
    ...baseOf(name, properties),
    pause,
    field: pause === 'chat' ? field : null,
    instructions: properties.instructions?.value ?? null,
    interaction: interactionOf(model, properties.interaction?.value) ?? 'human',
    publish: properties.publish?.value ?? null,
  };
}

function baseOf(
  name: string,
  properties: Pick<ComputeSyntax['properties'], 'input' | 'output' | 'await'>,
): Pick<PlanNode, 'name' | 'input' | 'output' | 'await'> {
  return {
    name,
    input: properties.input?.value ?? null,
    output: properties.output?.value ?? null,
    await: properties.await?.value ?? null,
  };
}
