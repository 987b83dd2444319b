import type { BundleSource } from '../bundle.ts';
import { RULES } from '../check/rules.ts';
import { checkWorkflows } from '../check/workflows.ts';
import { withFix } from '../codes/fixes.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { read } from '../parse/file.ts';
import type { Plan } from '../plan.ts';
import { modelOf } from './model.ts';
import { planOf } from './plan-maker.ts';
import { Report } from './report.ts';

/** A plan, or none when anything is wrong, and all that is to be said about the source. */
export interface Compiled {
  readonly plan: Plan | null;
  /** Of the syntax first, in order of the text; then of the graph, in the order of the rules. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles a bundle. Pure, total and deterministic: any text gives a result. */
export function compileBundle(source: BundleSource): Compiled {
  const fileName = source.mainName ?? 'main.bot';
  const parsed = read(source.main, fileName);
  const report = new Report(fileName);
  checkWorkflows(parsed.file, report);
  const model = modelOf(parsed.file, source);
  if (model !== null) for (const rule of RULES) rule(model, report);
  const diagnostics = [...parsed.diagnostics, ...report.diagnostics].map(withFix);
  const wrong = diagnostics.some(diagnostic => diagnostic.severity === 'error');
  return { plan: model === null || wrong ? null : planOf(model), diagnostics };
}
