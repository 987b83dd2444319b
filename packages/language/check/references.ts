import { ancestry } from '../compile/graph.ts';
import type { Model } from '../compile/model.ts';
import { inputSchema, outputSchema } from '../compile/outputs.ts';
import type { Report } from '../compile/report.ts';
import { type Use, usesOf } from '../compile/uses.ts';
import { didYouMean } from '../nearest.ts';
import type { SchemaSyntax } from '../parse/schema.ts';
import type { Rule } from './rule.ts';

/**
 * C029 and C031 to C036, C053, C054: what is read exists, and was made before. Guards are not checked here in profile
 * 1, and neither are `loop` and `run`.
 */
export const references: Rule = (model, report) => {
  const ancestors = ancestry(model);
  const publishers = publishersOf(model);
  const before = (use: Use, node: string): boolean =>
    ancestors(use.consumer).has(node) || (use.in === 'with' && use.consumer === node);
  for (const use of usesOf(model)) {
    if (use.in === 'guard' || use.in === 'cap') continue;
    const [namespace, name = ''] = use.path;
    if (namespace === 'vars') checkVar(model, use, name, report);
    if (namespace === 'input') checkInput(model, use, name, report);
    if (namespace === 'outputs') {
      checkOutput(model, use, report);
      if (model.nodes.has(name) && !before(use, name)) reportTooEarly(use, name, report);
    }
    if (namespace === 'artifacts') {
      const producers = publishers.get(name) ?? [];
      const [first] = producers;
      if (first === undefined) {
        const fix = didYouMean(name, publishers.keys());
        report.error('C035', `nothing publishes the artifact \`${name}\``, { ...placeOf(use), fix });
      } else if (!producers.some(node => before(use, node))) {
        reportTooEarly(use, first, report);
      }
    }
    if (namespace === 'attachments') checkAttachment(model, use, report);
  }
};

function checkVar(model: Model, use: Use, name: string, report: Report): void {
  if (name === '' || model.vars.has(name)) return;
  const fix = didYouMean(name, model.vars.keys());
  report.error('C033', `the var \`${name}\` is not declared`, { ...placeOf(use), fix });
}

function checkInput(model: Model, use: Use, field: string, report: Report): void {
  const schema = inputSchema(model, use.consumer);
  if (schema === null || field === '' || hasField(schema, field)) return;
  report.error('C034', `the input of \`${use.consumer}\` has no field \`${field}\``, {
    ...placeOf(use),
    fix: didYouMean(field, fieldNames(schema)),
  });
}

function checkOutput(model: Model, use: Use, report: Report): void {
  const [, node = '', field] = use.path;
  if (!model.nodes.has(node)) {
    const fix = didYouMean(node, model.nodes.keys());
    report.error('C029', `there is no node \`${node}\` whose output could be read`, { ...placeOf(use), fix });
    return;
  }
  if (field === undefined || isFree(field)) return;
  const schema = outputSchema(model, node);
  if (schema === null) {
    report.warn(
      'C032',
      `\`${node}\` has no output schema, so its field \`${field}\` cannot be checked`,
      placeOf(use),
    );
  } else if (!hasField(schema, field)) {
    const fix = didYouMean(field, fieldNames(schema));
    report.error('C031', `the output of \`${node}\` has no field \`${field}\``, { ...placeOf(use), fix });
  }
}

const PARTS: readonly string[] = ['path', 'url', 'mime', 'size', 'sha256'];

function checkAttachment(model: Model, use: Use, report: Report): void {
  const [, name = '', part] = use.path;
  const blocks = [model.file.attachments?.value, model.workflow.properties.attachments?.value];
  const names = blocks.flatMap(block => block ?? []).map(one => one.name.value);
  if (!names.includes(name)) {
    const fix = didYouMean(name, names);
    report.error('C053', `the attachment \`${name}\` is not declared`, { ...placeOf(use), fix });
  } else if (part !== undefined && !PARTS.includes(part)) {
    const fix = didYouMean(part, PARTS);
    report.error('C054', `an attachment has no \`${part}\``, { ...placeOf(use), fix });
  }
}

function reportTooEarly(use: Use, node: string, report: Report): void {
  report.error('C036', `\`${node}\` has never run when \`${use.consumer}\` reads what it made`, placeOf(use));
}

function publishersOf(model: Model): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, syntax } of model.nodes.values()) {
    if (syntax === null || !('publish' in syntax.properties) || !syntax.properties.publish) continue;
    const artifact = syntax.properties.publish.value;
    found.set(artifact, [...(found.get(artifact) ?? []), name]);
  }
  return found;
}

function hasField(schema: SchemaSyntax, field: string): boolean {
  return isFree(field) || schema.fields.some(one => one.name.value === field);
}

/** Fields that the engine adds are not in any schema. */
function isFree(field: string): boolean {
  return field === '' || field === 'history' || field.startsWith('_');
}

function fieldNames(schema: SchemaSyntax): readonly string[] {
  return schema.fields.map(one => one.name.value);
}

function placeOf(use: Use): Pick<Use, 'at' | 'file' | 'edge'> & { readonly node: string } {
  return { at: use.at, file: use.file, edge: use.edge, node: use.consumer };
}
