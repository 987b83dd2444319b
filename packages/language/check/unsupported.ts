import { usesOf } from '../compile/uses.ts';
import type { Position } from '../diagnostic.ts';
import type { Interaction } from '../plan/node.ts';
import type { Property } from '../parse/properties.ts';
import type { Rule } from './rule.ts';

/*
 * H003: what parses and is checked, but cannot be run yet. It is refused rather than ignored. An issue that supports a
 * feature takes its line away here.
 */

const NODES: readonly string[] = ['judge', 'router', 'tool'];
const DECLARATIONS: readonly string[] = ['cursor', 'mcp_server'];
const PROPERTIES: Readonly<Record<string, string>> = {
  tool_policy: 'tool policies',
  mcp: '`mcp` blocks',
  compaction: '`compaction` blocks',
  memory: '`memory` blocks',
  sandbox: 'sandboxes',
  cursors: '`cursors` blocks',
  attachments: 'attachments',
  interaction_prompt: '`interaction_prompt` properties',
  interaction_model: '`interaction_model` properties',
  min_answers: '`min_answers` properties',
};
/** Only for nodes that a model answers; a person is asked without them. */
const HUMAN_PROPERTIES: Readonly<Record<string, string>> = {
  model: 'humans answered by a model',
  system: 'humans answered by a model',
};
/** Modes in which a model answers in a person's stead. */
const ANSWERED_BY_MODEL: readonly Interaction[] = ['llm', 'llm_or_human'];

export const unsupported: Rule = (model, report) => {
  const refuse = (feature: string, at: Position, node?: string): void =>
    report.error('H003', `${feature} are not supported yet`, { at, node });
  const { file, workflow } = model;
  if (file.presets) refuse('presets', file.presets.at);
  if (file.attachments) refuse('attachments', file.attachments.at);
  for (const { kind, at } of file.declarations) {
    if (DECLARATIONS.includes(kind)) refuse(`\`${kind}\` declarations`, at);
  }
  refuseProperties(workflow.properties, PROPERTIES, refuse);
  refuseModelAnswers(workflow.properties, refuse);
  for (const { name, kind, syntax } of model.nodes.values()) {
    if (syntax === null) continue;
    const refuseHere = (feature: string, at: Position): void => refuse(feature, at, name);
    // One report for a node is enough: its properties come with its kind.
    if (NODES.includes(kind)) {
      refuseHere(`${kind} nodes`, syntax.at);
      continue;
    }
    refuseProperties(syntax.properties, PROPERTIES, refuseHere);
    if (kind === 'human') refuseProperties(syntax.properties, HUMAN_PROPERTIES, refuseHere);
    if (syntax.kind === 'human' || syntax.kind === 'agent') refuseModelAnswers(syntax.properties, refuseHere);
  }
  // Nothing is published yet, so a prompt would show the reference itself to the model.
  for (const { path, at, file: prompt, edge, consumer: node } of usesOf(model)) {
    if (path[0] !== 'artifacts') continue;
    report.error('H003', '`artifacts` references are not supported yet', { at, file: prompt, edge, node });
  }
};

function refuseModelAnswers(
  { interaction }: { readonly interaction?: Property<Interaction> },
  refuse: (feature: string, at: Position) => void,
): void {
  if (interaction && ANSWERED_BY_MODEL.includes(interaction.value))
    refuse(`answers by a model (\`interaction: ${interaction.value}\`)`, interaction.key);
}

function refuseProperties(
  properties: { readonly [key: string]: { readonly key: Position; readonly value: unknown } | undefined },
  features: Readonly<Record<string, string>>,
  refuse: (feature: string, at: Position) => void,
): void {
  for (const [name, feature] of Object.entries(features)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property && !(name === 'sandbox' && isOff(property.value))) refuse(feature, property.key);
  }
}

/** `sandbox: none` asks for what is done anyway. */
function isOff(sandbox: unknown): boolean {
  return typeof sandbox === 'object' && sandbox !== null && 'mode' in sandbox && sandbox.mode === 'none';
}
