import type { Report } from '../../compile/report.ts';
import { didYouMean } from '../../nearest.ts';
import type { Property } from '../../parse/properties.ts';
import type { Spanned } from '../../parse/parser.ts';
import type { Rule } from '../rule.ts';

const MODES: readonly string[] = ['off', 'ask', 'deny'];
const LISTS = ['allow', 'ask', 'deny'] as const;

interface Gate {
  readonly permission?: Property<string>;
  readonly allow?: Property<readonly Spanned<string>[]>;
  readonly ask?: Property<readonly Spanned<string>[]>;
  readonly deny?: Property<readonly Spanned<string>[]>;
}

/** C110 to C112: a gate for tools has a known mode, its rules have a gate to belong to, and only what a model runs has one. */
export const permissions: Rule = (model, report) => {
  const whole: Gate = model.workflow.properties;
  checkMode(whole, report);
  const general = isOn(whole);
  let anyOn = general;
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind === 'tool') checkTool(syntax.properties, node, report);
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const gate: Gate = syntax.properties;
    checkMode(gate, report, node);
    const on = gate.permission === undefined ? general : isOn(gate);
    anyOn ||= on;
    if (!on) reportRules(gate, report, node);
  }
  if (!anyOn) reportRules(whole, report);
};

function checkMode({ permission }: Gate, report: Report, node?: string): void {
  if (permission === undefined || MODES.includes(permission.value)) return;
  report.error('C110', `\`permission\` is one of \`off\`, \`ask\`, \`deny\`, not \`${permission.value}\``, {
    at: permission.at,
    node,
    fix: () => didYouMean(permission.value, MODES),
  });
}

/** An unknown word may have meant either, so that only the word is told. */
function isOn({ permission }: Gate): boolean {
  return permission !== undefined && permission.value !== 'off';
}

function reportRules(gate: Gate, report: Report, node?: string): void {
  for (const list of LISTS) {
    const rules = gate[list];
    if (rules === undefined || rules.value.length === 0) continue;
    report.warn('C111', `the rules of \`${list}\` say nothing while \`permission\` is off`, {
      at: rules.key,
      node,
      fix: 'add `permission: ask` or `permission: deny`',
    });
  }
}

function checkTool(gate: Gate, node: string, report: Report): void {
  for (const name of ['permission', ...LISTS] as const) {
    const property = gate[name];
    if (property === undefined) continue;
    report.warn(
      'C112',
      `\`${name}\` says nothing on the tool \`${node}\`, which runs what its author wrote`,
      {
        at: property.key,
        node,
        fix: 'leave it out',
      },
    );
  }
}
