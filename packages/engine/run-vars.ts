import type { Values } from '@hearth/language/value.ts';
import type { Plan } from './runnable.ts';

/** The name by which a var's default means the directory that the run begins to work in. */
const PROJECT_DIR = /\$\{PROJECT_DIR\}|\$PROJECT_DIR(?![A-Za-z0-9_])/g;

/**
 * The vars that a run begins with: the author's defaults, and the first message in the seed var. `directory` is the
 * workspace of the message that starts the run. Only what the author wrote is expanded, never what a person typed.
 */
export function runVars(plan: Plan, directory: string, seed: string): Values {
  const vars: Values = {};
  for (const { name, type, default: value = null } of plan.vars) {
    const expanded = type === 'string' && typeof value === 'string';
    vars[name] = expanded ? value.replaceAll(PROJECT_DIR, () => directory) : value;
  }
  if (plan.seedVar !== null) vars[plan.seedVar] = seed;
  return vars;
}
