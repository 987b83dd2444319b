import { attachmentsOf } from '../compile/attachments.ts';
import { type Ancestry, ancestry } from '../compile/ancestry.ts';
import { laterNodes } from '../compile/later-nodes.ts';
import { publishersOf } from '../compile/publishers.ts';
import type { Model } from '../compile/model.ts';
import { type Fields, fieldsOf, inputSchema, outputFields } from '../compile/outputs.ts';
import type { Report } from '../compile/report.ts';
import { type Use, usesOf } from '../compile/uses.ts';
import { didYouMean, some } from '../nearest.ts';
import type { Rule } from './rule.ts';

/**
 * C029 and C031 to C036, C053, C054: what is read exists, and was made before. Guards and caps are not checked here in
 * profile 1, and neither are `loop` and `run`. Of one reference only the first thing that is wrong is told.
 */
export const references: Rule = (model, report) => {
  const uses = usesOf(model).filter(use => use.in !== 'guard' && use.in !== 'cap');
  const past = ancestry(model);
  past.prepare(uses.map(({ path: [namespace, name = ''], consumer }) => ({ namespace, name, consumer })));
  const context: Context = {
    model,
    report,
    past,
    publishers: publishersOf(model),
    attachments: new Set(attachmentsOf(model).map(one => one.name.value)),
  };
  for (const use of uses) {
    const [namespace = '', ...path] = use.path;
    const check = Object.hasOwn(CHECKS, namespace) ? CHECKS[namespace] : undefined;
    if (check && path.length > 0) check(context, use, path);
  }
};

interface Context {
  readonly model: Model;
  readonly report: Report;
  readonly past: Ancestry;
  readonly publishers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly attachments: ReadonlySet<string>;
}

/** By namespace; `path` is what stands behind it, and has at least one segment. */
const CHECKS: Readonly<Record<string, (context: Context, use: Use, path: readonly string[]) => void>> = {
  vars: checkVar,
  input: checkInput,
  outputs: checkOutput,
  artifacts: checkArtifact,
  attachments: checkAttachment,
};

/** Whether a node has run when a value is read; for a `with` value the node that its edge leaves has. */
function before({ model, past }: Context, use: Use, node: string): boolean {
  // The end of an edge that does not exist was reported already.
  if (!model.nodes.has(use.consumer)) return true;
  return past.ranBefore(node, use.consumer) || (use.in === 'with' && use.consumer === node);
}

function checkVar({ model, report }: Context, use: Use, [name = '']: readonly string[]): void {
  if (model.vars.has(name)) return;
  report.error('C033', `the var \`${name}\` is not declared`, {
    ...placeOf(use),
    fix: () => didYouMean(name, model.vars.keys()) ?? `add \`${name}: string\` to \`vars:\``,
  });
}

function inputFields(model: Model, node: string): Fields | 'unknown' {
  const schema = inputSchema(model, node);
  return schema === null ? 'unknown' : fieldsOf(schema);
}

/** In a `with` value `input` is what the source puts out; profile 1 asks its input schema all the same. */
function checkInput({ model, report }: Context, use: Use, [field = '']: readonly string[]): void {
  const output = use.in === 'with' && model.file.profile === 2;
  const fields = output ? outputFields(model, use.consumer) : inputFields(model, use.consumer);
  if (typeof fields === 'string' || use.acted || fields.has(field) || isAdded(field)) return;
  if (output && model.vars.has(field)) return;
  const what = output ? 'output' : 'input';
  report.error('C034', `the ${what} of \`${use.consumer}\` has no field \`${field}\``, {
    ...placeOf(use),
    fix: () => didYouMean(field, fields.keys()) ?? `it has ${some(fields.keys())}`,
  });
}

/** Whether the engine adds a field by itself: such a field is in no schema. */
function isAdded(field: string): boolean {
  return field === 'history' || field.startsWith('_');
}

function checkOutput(context: Context, use: Use, [node = '', field]: readonly string[]): void {
  const { model, report } = context;
  if (!model.nodes.has(node)) {
    if (laterNodes(model.file).has(node)) return;
    const fix = (): string | undefined => didYouMean(node, model.nodes.keys());
    report.error('C029', `there is no node \`${node}\` whose output could be read`, { ...placeOf(use), fix });
    return;
  }
  if (!before(context, use, node)) return reportTooEarly(use, node, report);
  if (field === undefined || isAdded(field)) return;
  const fields = outputFields(model, node);
  if (fields === 'none') {
    const message = `\`${node}\` has no output schema, so its field \`${field}\` cannot be checked`;
    report.warn('C032', message, { ...placeOf(use), fix: `give \`${node}\` an \`output:\` schema` });
  } else if (fields !== 'unknown' && !fields.has(field)) {
    report.error('C031', `the output of \`${node}\` has no field \`${field}\``, {
      ...placeOf(use),
      fix: () => didYouMean(field, fields.keys()) ?? `it has ${some(fields.keys())}`,
    });
  }
}

function checkArtifact(context: Context, use: Use, [name = '']: readonly string[]): void {
  const { model, past, publishers, report } = context;
  const producers = publishers.get(name) ?? new Set();
  const [first] = producers;
  if (first === undefined) {
    report.error('C035', `nothing publishes the artifact \`${name}\``, {
      ...placeOf(use),
      fix: () => didYouMean(name, publishers.keys()) ?? `add \`publish: ${name}\` to a node that runs before`,
    });
  } else if (
    model.nodes.has(use.consumer) &&
    !past.madeBefore(name, use.consumer) &&
    !(use.in === 'with' && producers.has(use.consumer))
  ) {
    reportTooEarly(use, first, report);
  }
}

const PARTS: readonly string[] = ['path', 'url', 'mime', 'size', 'sha256'];

function checkAttachment(
  { attachments, report }: Context,
  use: Use,
  [name = '', part]: readonly string[],
): void {
  if (!attachments.has(name)) {
    const fix = (): string | undefined =>
      didYouMean(name, attachments) ?? `add \`${name}: file\` to \`attachments:\``;
    report.error('C053', `the attachment \`${name}\` is not declared`, { ...placeOf(use), fix });
  } else if (part !== undefined && !PARTS.includes(part)) {
    const fix = (): string | undefined => didYouMean(part, PARTS) ?? `it has ${PARTS.join(', ')}`;
    report.error('C054', `an attachment has no \`${part}\``, { ...placeOf(use), fix });
  }
}

function reportTooEarly(use: Use, node: string, report: Report): void {
  report.error('C036', `\`${node}\` has never run when \`${use.consumer}\` reads what it made`, {
    ...placeOf(use),
    fix: `read from a node on the way to \`${use.consumer}\``,
  });
}

function placeOf(use: Use): Pick<Use, 'at' | 'file' | 'edge'> & { readonly node: string } {
  return { at: use.at, file: use.file, edge: use.edge, node: use.consumer };
}
