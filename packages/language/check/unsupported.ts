import type { Position } from '../diagnostic.ts';
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
  }
};

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
