import type { Scope } from '@hearth/language/expr/evaluation.ts';
import type { Lookup } from '@hearth/language/refs/rendering.ts';
import type { Value, Values } from '@hearth/language/value.ts';
import { valuesOf } from './attached-files.ts';
import type { Frame } from './frame.ts';
import { runFigures } from './run-figures.ts';
import type { Plan } from './runnable.ts';
import type { Ledgers } from './state.ts';

/** What templates see besides what expressions do: files, of which an expression knows nothing. */
export interface TemplateScope extends Scope {
  readonly attachments?: Values;
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
  return {
    vars: run.vars,
    input,
    outputs: run.outputs,
    artifacts: run.artifacts ?? {},
    loop,
    run: figures,
    attachments: valuesOf(run.attachments ?? {}),
  };
}

/** How a template finds what it refers to in a scope. */
export function lookupIn(scope: TemplateScope): Lookup {
  const roots: Readonly<Record<string, Values | undefined>> = { ...scope };
  return ({ path }) => {
    const [root = '', ...rest] = path;
    // A file that is only named stands for its path.
    const whole = root === 'attachments' && rest.length === 1 ? [...rest, 'path'] : rest;
    return drill(roots[root], whole);
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
