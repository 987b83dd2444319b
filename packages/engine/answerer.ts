import type { AgentNode, HumanNode } from '@hearth/language/plan/node.ts';
import { render } from '@hearth/language/refs/rendering.ts';
import type { Value, Values } from '@hearth/language/value.ts';
import type { JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import type { Answer, Ask } from './backend.ts';
import type { Effect } from './machine.ts';
import { modelNode } from './model-node.ts';
import { outputSchema } from './output-schema.ts';
import { isModelNode, type ModelNode, type Plan } from './runnable.ts';
import { lookupIn, scopeOf } from './scope.ts';
import type { Ledgers, RunState } from './state.ts';

/*
 * A model that answers in the person's stead (`interaction: llm` and `llm_or_human`; docs/adr/0047). It is given what was
 * asked and the author's prompt for it, has no tools and no session, and gives an answer to each question. It answers
 * questions alone: a permission, a card and a question that confirms something are for a person.
 */

/** The field by which it hands on to the person; where that is allowed. */
export const HANDS_ON = 'needs_human_input';

/** Whether a model answers what the node asks, before or instead of a person. */
export function isAnswered(node: Pick<AgentNode | HumanNode, 'interaction'>): boolean {
  return node.interaction === 'llm' || node.interaction === 'llm_or_human';
}

/** What a model is asked in the person's stead: a turn of its own. */
export interface Task {
  readonly system: string;
  readonly user: string;
  readonly output: JsonSchema;
}

/** The node as which the effect runs: the plan's own, or that of the model that answers. `null`: no backend runs it. */
export function performerOf(plan: Plan, effect: Effect): ModelNode | null {
  const node = plan.nodes[effect.node];
  if (isModelNode(node)) return effect.asking === undefined ? node : answerer(node);
  if (node?.kind === 'human') return isAnswered(node) ? answerer(node) : null;
  return modelNode(plan, effect.node);
}

/** What the effect's backend is asked when it answers for a person; `null` when it is the node's own work. */
export function taskOf(plan: Plan, run: RunState, ledgers: Ledgers, effect: Effect): Task | null {
  const node = plan.nodes[effect.node];
  if (!isModelNode(node) && node?.kind !== 'human') return null;
  if (node.kind !== 'human' && effect.asking === undefined) return null;
  const lookup = lookupIn(scopeOf(plan, run, effect.input, ledgers));
  const words = (name: string | null | undefined): string => {
    const template = name == null ? undefined : plan.prompts[name];
    return template === undefined ? '' : render(template, lookup).trim();
  };
  const handsOn = node.interaction === 'llm_or_human';
  const guide = words(node.interactionPrompt);
  if (node.kind !== 'human') {
    const asks = effect.asking?.asks ?? [];
    const user = [...asks.map(question), ...(handsOn ? [MAY_HAND_ON] : [])].join('\n\n');
    return {
      system: joined(INSTEAD, guide),
      user,
      output: withHandOn(answersSchema(asks), handsOn),
    };
  }
  const schema = outputSchema(plan, node.output) ?? { type: 'object', properties: {} };
  const user = joined(words(node.instructions), inputLines(effect.input), handsOn ? MAY_HAND_ON : '');
  const system = joined(words(node.system), guide, INSTEAD);
  return { system, user, output: withHandOn(schema, handsOn) };
}

/** The answer to an ask in what a model gave; `null` when there is none that the ask allows. */
export function answerTo(ask: Ask, output: Values, index: number): Answer | null {
  const given = output[`answer_${index + 1}`];
  const text = typeof given === 'string' ? given.trim() : '';
  const option =
    ask.options.find(one => one.id === text) ??
    ask.options.find(one => [one.id, one.label].some(name => name.toLowerCase() === text.toLowerCase()));
  if (option !== undefined) return { option: option.id };
  return text !== '' && (ask.allowFreeText || ask.options.length === 0) ? { text } : null;
}

const INSTEAD = 'You answer in the place of a person who is asked. Give each answer as that person would.';
const MAY_HAND_ON = `Set ${HANDS_ON} to true when only the person can know or decide it; your answers are not used then.`;

function answerer(node: ModelNode | HumanNode): ModelNode {
  const own = node.kind === 'human' ? null : node;
  return {
    kind: 'agent',
    name: node.name,
    input: null,
    output: null,
    await: null,
    model: node.interactionModel ?? node.model ?? null,
    backend: own?.backend ?? null,
    // A model of its own need not be the provider's.
    provider: node.interactionModel === undefined ? (own?.provider ?? null) : null,
    system: null,
    user: null,
    publish: null,
    session: 'fresh',
    interaction: 'none',
    tools: [],
    capabilities: [],
    toolMaxSteps: null,
    maxTokens: null,
    effort: null,
    readonly: true,
    inbox: 'off',
  };
}

function question({ text, options, allowFreeText }: Ask, index: number): string {
  const lines = options.map(({ id, label, detail }) => {
    const more = detail === undefined ? '' : ` (${detail})`;
    return `- ${id}: ${label}${more}`;
  });
  const free = allowFreeText && options.length > 0 ? ['Or an answer in other words.'] : [];
  const head = options.length > 0 ? ['Answer with one of these, by its id:'] : [];
  return [`Question ${index + 1}: ${text}`, ...head, ...lines, ...free].join('\n');
}

function answersSchema(asks: readonly Ask[]): JsonObject {
  const names = asks.map((_, index) => `answer_${index + 1}`);
  const fields = asks.map(({ options, allowFreeText }): JsonObject => {
    const free = allowFreeText || options.length === 0;
    return free ? { type: 'string', minLength: 1 } : { type: 'string', enum: options.map(({ id }) => id) };
  });
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name, index) => [name, fields[index] ?? {}])),
    required: names,
    additionalProperties: false,
  };
}

function withHandOn(schema: JsonObject, handsOn: boolean): JsonObject {
  if (!handsOn) return schema;
  const { properties, required } = schema;
  const known = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
  return {
    ...schema,
    properties: { ...(known ? properties : {}), [HANDS_ON]: { type: 'boolean' } },
    required: [...(Array.isArray(required) ? required : []), HANDS_ON],
  };
}

function inputLines(input: Values): string {
  return Object.entries(input)
    .filter(([key]) => !key.startsWith('_'))
    .map(([key, value]) => `${key}: ${shown(value)}`)
    .join('\n');
}

function shown(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function joined(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('\n\n');
}
