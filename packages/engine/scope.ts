import type { Scope } from '@hearth/language/expr/evaluation.ts';
import type { Lookup } from '@hearth/language/refs/rendering.ts';
import type { Value, Values } from '@hearth/language/value.ts';
import { valuesOf } from './attached-files.ts';
import { documentOf } from './document.ts';
import type { Frame } from './frame.ts';
import { runFigures } from './run-figures.ts';
import type { Plan } from './runnable.ts';
import type { Ledgers } from './state.ts';

/** What templates see besides what expressions do: files, and artifacts as their texts. */
export interface TemplateScope extends Scope {
  readonly attachments?: Values;
  /** The texts of declared artifacts: a template that names one as a whole gets its text. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Input that the edge just taken did not give is nothing, and no gap. */
  readonly blank?: true;
  /** Secrets that are files, by their paths; no value of one is ever here. */
  readonly secrets?: Values;
}

/** A scope in which the files of secrets can be named. */
export function withSecretPaths(scope: TemplateScope, paths: ReadonlyMap<string, string>): TemplateScope {
  if (paths.size === 0) return scope;
  return { ...scope, secrets: Object.fromEntries([...paths].map(([name, path]) => [name, { path }])) };
}

/**
 * What references and expressions at one place can see. `input` is the node's own input in prompts and compute
 * nodes, and the source's output in guards and `with` values.
 */
export function scopeOf(plan: Plan, run: Frame, input: Values, ledgers: Ledgers): TemplateScope {
  const loop: Values = {};
  for (const name of Object.keys(plan.loops)) {
    const state = run.loops[name];
    loop[name] = {
      iteration: state?.count ?? 0,
      max: capOf(plan, run, name),
      previous_output: state?.previous ?? '',
    };
  }
  const figures = runFigures(plan, run, ledgers);
  const documents = documentValues(plan, run);
  const texts = Object.fromEntries(Object.entries(documents).map(([name, { body }]) => [name, body]));
  return {
    vars: run.vars,
    input,
    outputs: run.outputs,
    artifacts: { ...run.artifacts, ...documents },
    loop,
    run: figures,
    attachments: valuesOf(run.attachments ?? {}),
    texts,
    ...(plan.values === 'taken' ? { blank: true } : {}),
  };
}

/**
 * What the plan's artifacts hold: text, notes, and number and digest of the version that counts. What was rejected, replaced or made
 * invalid is not there.
 */
function documentValues(plan: Plan, run: Frame): Record<string, Values & { body: string }> {
  return Object.fromEntries(
    Object.values(plan.artifacts ?? {}).map(({ name, body: field }) => {
      const document = documentOf(run, name);
      const counts = document?.status === 'pending' || document?.status === 'confirmed';
      const body = counts ? document.body : '';
      const digest = counts ? (document.current?.digest ?? '') : '';
      const version = counts ? (document.current?.version ?? 0) : 0;
      return [name, { [field]: body, body, digest, version, notes: document?.notes ?? [] }];
    }),
  );
}

/** How a template finds what it refers to in a scope. */
export function lookupIn({ texts = {}, blank, ...scope }: TemplateScope): Lookup {
  const roots: Readonly<Record<string, Values | undefined>> = { ...scope };
  return ({ path }) => {
    const [root = '', ...rest] = path;
    const [name = ''] = rest;
    if (root === 'artifacts' && rest.length === 1 && Object.hasOwn(texts, name)) return texts[name];
    // A file that is only named stands for its path.
    const whole = root === 'attachments' && rest.length === 1 ? [...rest, 'path'] : rest;
    const value = drill(roots[root], whole);
    return value === undefined && blank === true && root === 'input' ? '' : value;
  };
}

function drill(from: Value | undefined, path: readonly string[]): Value | undefined {
  let value = from;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined;
    else value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The loop's effective cap: what the author wrote, resolved now, and what a person added. */
export function capOf(plan: Plan, run: Frame, name: string): number {
  const cap = plan.loops[name]?.cap ?? 0;
  const added = run.loops[name]?.added ?? 0;
  return (typeof cap === 'number' ? cap : resolvedCap(cap, run)) + added;
}

/** A cap that cannot be resolved counts as exhausted: a loop without a bound must not run on. */
function resolvedCap(cap: readonly (string | { readonly path: readonly string[] })[], run: Frame): number {
  const [only] = cap;
  if (cap.length !== 1 || typeof only !== 'object') return 0;
  const value = lookupIn({ vars: run.vars, outputs: run.outputs })({ path: only.path, raw: false });
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : 0;
}
