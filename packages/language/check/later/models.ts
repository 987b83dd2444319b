import type { GraphNode } from '../../compile/model.ts';
import type { Report } from '../../compile/report.ts';
import { didYouMean } from '../../nearest.ts';
import type { Property } from '../../parse/properties.ts';
import { parseTemplate } from '../../refs/template-parser.ts';
import type { Rule } from '../rule.ts';

const PROVIDERS: readonly string[] = ['anthropic', 'zai', 'openai', 'auto'];
/** Backends that have one provider only. */
const FIXED: readonly string[] = ['codex', 'claude_code'];

/** Backends that cannot go on while a question is open. */
const BLOCKING: readonly string[] = ['codex', 'kimi', 'grok'];

/** C267: who asks and goes on has a backend that can. */
export const asyncBackends: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const { interaction, backend } = syntax.properties;
    if (interaction?.value !== 'async' || !backend || !BLOCKING.includes(backend.value)) continue;
    const message = `\`${node}\` asks and goes on, which the backend \`${backend.value}\` cannot`;
    report.error('C267', message, {
      at: backend.at,
      node,
      fix: 'write `interaction: human`, or choose another backend',
    });
  }
};

/** C087, C088, C148, C172: who a model is asked of is known before a run, and is one that there is. */
export const modelChoices: Rule = (model, report) => {
  for (const node of model.nodes.values()) {
    for (const [key, written] of choicesOf(node)) checkTemplate(node.name, key, written, report);
    checkProvider(node, report);
  }
};

function choicesOf({ syntax }: GraphNode): readonly (readonly [string, Property<string>])[] {
  if (syntax === null) return [];
  const { properties } = syntax;
  return (['model', 'backend', 'provider'] as const).flatMap(key => {
    const written =
      key in properties ? (properties as Readonly<Record<string, Property<string>>>)[key] : undefined;
    return written === undefined ? [] : [[key, written] as const];
  });
}

function checkTemplate(node: string, key: string, { value, at }: Property<string>, report: Report): void {
  if (!value.includes('{{')) return;
  const { refs, problem } = parseTemplate(value, 2);
  if (problem === null && refs.every(({ ref }) => ref.path[0] === 'vars')) return;
  const message = `the ${key} of \`${node}\` is chosen before its input is known`;
  report.error('C148', message, { at, node, fix: 'write it out, or as `{{vars.NAME}}`' });
}

function checkProvider({ name: node, syntax }: GraphNode, report: Report): void {
  if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge' && syntax?.kind !== 'router') return;
  const { provider, backend } = syntax.properties;
  if (!provider || provider.value === '' || /[${]/.test(provider.value)) return;
  const { at } = provider;
  const steps = provider.value.split(',').map(step => step.trim());
  for (const step of steps) {
    if (step === '') {
      report.warn('C172', `the providers of \`${node}\` have a step without a name`, {
        at,
        node,
        fix: 'take one comma out',
      });
    } else if (!PROVIDERS.includes(step)) {
      const fix = (): string => didYouMean(step, PROVIDERS) ?? `use ${PROVIDERS.join(', ')}`;
      report.warn('C087', `the provider \`${step}\` of \`${node}\` is not known`, { at, node, fix });
    }
  }
  if (steps.length > 1 && backend && FIXED.includes(backend.value)) {
    const message = `the backend \`${backend.value}\` of \`${node}\` has one provider and does not go on to another`;
    report.warn('C088', message, { at, node, fix: 'take the providers out' });
  }
}
