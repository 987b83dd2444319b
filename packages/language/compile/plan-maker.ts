import type { BundlePreset } from '../bundle.ts';
import { coerce } from '../coercion.ts';
import { durationOf } from '../duration.ts';
import type { Profile } from '../lex/profile.ts';
import type { VarSyntax } from '../parse/vars.ts';
import type { LimitsSyntax } from '../parse/workflow.ts';
import type { PlanNode } from '../plan/node.ts';
import type { Preset } from '../plan/settings.ts';
import type { Guard, Limits, Plan, PlanEdge, Schema, Type, Var } from '../plan.ts';
import { isMixed } from '../refs/rendering.ts';
import type { Value } from '../value.ts';
import { attachmentsOf } from './attachments.ts';
import { cursorsOf } from './cursors.ts';
import { loopsOf, sortedNames } from './loops.ts';
import type { Condition, GraphEdge, Model } from './model.ts';
import { outOfReach } from './out-of-reach.ts';
import { planNode } from './plan-nodes.ts';
import { artifactOf } from './plan-review.ts';
import { secretOf } from './permissions.ts';
import { attachmentOf, mcpOf, mcpServerOf, ownSandbox } from './plan-settings.ts';
import { promptNames, usesOf } from './uses.ts';

/** The var that takes a run's first message, unless a manifest names another. */
const SEED_VAR = 'initial_message';

/** Makes the plan of a model in which nothing is wrong. Equal sources make equal plans, to the order of keys. */
export function planOf(model: Model): Plan {
  const { properties } = model.workflow;
  const budget = properties.budget?.value;
  const nodes = [...model.nodes.values()].map(node => planNode(model, node));
  return {
    format: 1,
    name: model.workflow.name.value,
    title: model.workflow.name.value,
    entry: properties.entry?.value ?? '',
    vars: [...model.vars.values()].map(varOf),
    schemas: record(schemasOf(model, nodes)),
    prompts: record(promptsOf(model)),
    nodes: record(nodes.map(node => [node.name, node])),
    edges: model.edges.map(edge => edgeOf(edge, model.file.profile)),
    loops: record([...loopsOf(model)]),
    budget: {
      burst: limitsOf(budget),
      lifetime: limitsOf(budget?.lifetime?.value),
      maxParallelBranches: budget?.max_parallel_branches?.value || null,
      ...(budget?.warn_tokens?.value ? { warnTokens: budget.warn_tokens.value } : {}),
      ...(budget?.on_exceeded?.value === 'fail' ? { onExceeded: 'fail' } : {}),
      ...(properties.loop_budget_guard?.value === 'off' ? { loopGuard: 'off' } : {}),
    },
    seedVar: model.vars.get(SEED_VAR)?.type === 'string' ? SEED_VAR : null,
    defaultBackend: properties.default_backend?.value ?? null,
    worktree: properties.worktree?.value === 'auto' ? 'auto' : 'none',
    keeps: keepsOf(model),
    ...surroundings(model, nodes),
  };
}

/** What only some sources write; nothing of it is in the plan of another. */
function surroundings(model: Model, nodes: readonly PlanNode[]): Partial<Plan> {
  const { file, workflow } = model;
  const { properties } = workflow;
  const presets = presetsOf(model);
  const notes = presetFilesOf(model).flatMap(({ name, note }) =>
    note === '' ? [] : [[name, note] as const],
  );
  const attachments = attachmentsOf(model).map(attachmentOf);
  const set = new Set(nodes.flatMap(node => ('cursors' in node ? node.cursors : [])).map(one => one?.name));
  const cursors = [...cursorsOf(file).cursors].filter(([name]) => set.has(name));
  const servers = file.declarations.filter(one => one.kind === 'mcp_server').map(mcpServerOf);
  const mcp = mcpOf(properties.mcp);
  const sandbox = ownSandbox(properties.sandbox);
  const secrets = (file.secrets?.value ?? []).map(secretOf);
  const artifacts = [...model.artifacts.values()].map(artifactOf);
  const reached = usesOf(model).flatMap(use => outOfReach(model, use) ?? []);
  const passed = [...new Set([...file.unsupported.map(one => one.value), ...reached])];
  return {
    ...(presets.length > 0 ? { presets: record(presets) } : {}),
    ...(notes.length > 0 ? { presetNotes: record(notes) } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(cursors.length > 0 ? { cursors: record(cursors) } : {}),
    ...(servers.length > 0 ? { mcpServers: record(servers.map(one => [one.name, one])) } : {}),
    ...(mcp ? { mcp } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(secrets.length > 0 ? { secrets } : {}),
    ...(artifacts.length > 0
      ? { artifacts: record(artifacts.map(one => [one.name, one])), values: 'taken' }
      : givenSeveralWays(model)
        ? { values: 'fired' }
        : {}),
    ...(passed.length > 0 ? { unsupported: sortedNames(passed) } : {}),
  };
}

/** Whether it matters in a file of profile 2 which edges were taken: several give one node its values. */
function givenSeveralWays({ file, edges }: Model): boolean {
  const given = edges.filter(edge => edge.with.length > 0).map(edge => edge.to);
  return file.profile === 2 && new Set(given).size < given.length;
}

function presetsOf(model: Model): readonly (readonly [string, Preset])[] {
  const written = (model.file.presets?.value ?? []).map(one => ({ ...one, name: one.name.value }));
  return [...written, ...presetFilesOf(model)].map(({ name, values }) => [
    name,
    record(values.map(one => [one.name.value, read(model.vars.get(one.name.value)?.type, one.value)])),
  ]);
}

/** The presets in files of their own that no preset of the graph comes before. */
function presetFilesOf({ file, presetFiles }: Model): readonly BundlePreset[] {
  const written = new Set(file.presets?.value.map(one => one.name.value));
  return presetFiles.filter(one => !written.has(one.name));
}

/** An object with sorted keys; any name is safe as a key. */
function record<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function varOf({ name, type, default: literal, enum: values, matching }: VarSyntax): Var {
  return {
    name: name.value,
    type,
    ...(literal === undefined ? {} : { default: read(type, literal) }),
    ...(values === undefined ? {} : { enum: values.value.map(one => one.value) }),
    ...(matching === undefined ? {} : { matching: matching.value }),
  };
}

/** A value as it was written, for a var of a type; text that does not read as the type stays text. */
function read(type: Type = 'string', { value }: { readonly value: Value }): Value {
  return typeof value === 'string' ? (coerce(type, value) ?? value) : value;
}

function schemasOf(model: Model, nodes: readonly PlanNode[]): readonly (readonly [string, Schema])[] {
  const used = new Set(nodes.flatMap(({ input, output }) => [input, output]));
  return [...model.schemas.values()]
    .filter(schema => used.has(schema.name.value))
    .map(({ name, fields }) => [
      name.value,
      {
        name: name.value,
        fields: fields.map(field => ({
          name: field.name.value,
          type: field.type,
          ...(field.enum === undefined ? {} : { enum: field.enum }),
        })),
      },
    ]);
}

function promptsOf(model: Model): readonly (readonly [string, Plan['prompts'][string]])[] {
  const used = new Set(
    [...model.nodes.values()].flatMap(node => promptNames(model, node).map(prompt => prompt.name)),
  );
  return [...model.prompts.values()]
    .filter(prompt => used.has(prompt.name))
    .map(prompt => [prompt.name, prompt.parsed.template]);
}

function edgeOf(edge: GraphEdge, profile: Profile): PlanEdge {
  return {
    from: edge.from,
    to: edge.to,
    when: edge.when ? guardOf(edge.when) : null,
    loop: edge.loop?.name ?? null,
    with: edge.with.map(({ key, parsed: { template } }) =>
      profile === 2 && isMixed(template) ? { key, value: template, joined: true } : { key, value: template },
    ),
    ...(edge.on ? { on: edge.on.value } : {}),
    ...(edge.opens.length > 0 ? { opens: edge.opens.map(one => one.value) } : {}),
  };
}

function guardOf(when: Condition): Guard {
  return when.is === 'field'
    ? { is: 'field', field: when.field, negated: when.negated }
    : { is: 'expr', expr: when.expr, source: when.text };
}

/** 0 means unbounded, and so does an axis that is not there. */
function limitsOf(limits: LimitsSyntax | undefined): Limits {
  const axes: Readonly<Record<keyof Limits, number | undefined>> = {
    duration: durationOf(limits?.max_duration?.value ?? ''),
    cost: limits?.max_cost_usd?.value,
    tokens: limits?.max_tokens?.value,
    iterations: limits?.max_iterations?.value,
  };
  return Object.fromEntries(Object.entries(axes).filter(([, bound]) => bound !== undefined && bound > 0));
}

/**
 * Nodes whose last output can still be read: by a reference, by the guard of an edge that leaves them, or by an edge
 * with values, which are given only once its source has put something out.
 */
function keepsOf(model: Model): readonly string[] {
  const named = usesOf(model).flatMap(({ path: [namespace, node] }) =>
    namespace === 'outputs' && node ? [node] : [],
  );
  const sources = model.edges
    .filter(edge => edge.when !== null || edge.with.length > 0)
    .map(edge => edge.from);
  return sortedNames([...named, ...sources]).filter(node => model.nodes.get(node)?.syntax);
}
