import { grouped } from '../../compile/grouping.ts';
import { outputSchema } from '../../compile/outputs.ts';
import { sandboxIsActive } from '../../compile/sandbox.ts';
import { didYouMean } from '../../nearest.ts';
import { repeated } from '../names.ts';
import type { Rule } from '../rule.ts';

/** C249: the branches of a fan-out lead to different nodes. */
export const distinctBranches: Rule = (model, report) => {
  for (const [node, edges] of grouped(model.edges, edge => edge.from)) {
    const syntax = model.nodes.get(node)?.syntax;
    if (syntax?.kind !== 'router' || (syntax.properties.mode?.value ?? 'fan_out_all') !== 'fan_out_all')
      continue;
    for (const { value, at } of repeated(edges.map(({ to: value, at }) => ({ value, at })))) {
      const message = `\`${node}\` fans out to \`${value}\` twice, which runs once in all`;
      report.warn('C249', message, {
        at,
        node,
        edge: `${node} -> ${value}`,
        fix: 'take one of the edges out',
      });
    }
  }
};

/** C128: a node does not leave the sandbox of its workflow unseen. */
export const sandboxOptOuts: Rule = (model, report) => {
  if (!sandboxIsActive(model)) return;
  for (const { name: node, syntax } of model.nodes.values()) {
    const sandbox = syntax && 'sandbox' in syntax.properties ? syntax.properties.sandbox : undefined;
    if (sandbox?.value.mode !== 'none') continue;
    const message = `\`${node}\` runs outside of the sandbox that the workflow has`;
    report.warn('C128', message, {
      at: sandbox.key,
      node,
      fix: 'take the line out, unless that is what you want',
    });
  }
};

const SWITCH: readonly string[] = ['on', 'off'];

/** C133: the guard of loops is on or off. */
export const loopGuard: Rule = ({ workflow }, report) => {
  const guard = workflow.properties.loop_budget_guard;
  if (!guard || SWITCH.includes(guard.value)) return;
  report.error('C133', `\`loop_budget_guard\` is \`on\` or \`off\`, not \`${guard.value}\``, {
    at: guard.at,
    fix: () => didYouMean(guard.value, SWITCH) ?? 'write `on` or `off`',
  });
};

const VISIBILITIES: readonly string[] = ['bot', 'project', 'cross_project', 'user', 'org', 'global'];

/** C170: who sees a memory is one of some words. */
export const memoryVisibility: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const visibility = syntax.properties.memory?.value.visibility;
    if (!visibility || VISIBILITIES.includes(visibility.value)) continue;
    report.error('C170', `\`${visibility.value}\` is no visibility of memory`, {
      at: visibility.at,
      node,
      fix: () => didYouMean(visibility.value, VISIBILITIES) ?? `write ${VISIBILITIES.join(', ')}`,
    });
  }
};

/** C130: an answer has no field by the name under which its attachments arrive. */
export const answerFields: Rule = (model, report) => {
  for (const { name: node, kind } of model.nodes.values()) {
    if (kind !== 'human') continue;
    const field = outputSchema(model, node)?.fields.find(one => one.name.value === '_attachments');
    if (field === undefined) continue;
    const message = `the answers of \`${node}\` have a field \`_attachments\`, under which files arrive`;
    report.error('C130', message, { at: field.name.at, node, fix: 'rename the field' });
  }
};
