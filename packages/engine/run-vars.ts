import { coerce } from '@hearth/language/coercion.ts';
import type { Values } from '@hearth/language/value.ts';
import { FITS } from './envelope.ts';
import type { Plan } from './runnable.ts';

/** The name by which a var's default means the directory that the run begins to work in. */
const PROJECT_DIR = /\$\{PROJECT_DIR\}|\$PROJECT_DIR(?![A-Za-z0-9_])/g;

/** What whoever begins a run gives it, or the reason why it cannot be given, for a person. */
export type GivenVars =
  | { readonly ok: true; readonly vars: Values }
  | { readonly ok: false; readonly why: string };

/** Fits given values to the vars of a plan: only vars that it has, each of its type. Text is read as the type asks. */
export function givenVars(plan: Plan, given: Values): GivenVars {
  const vars: Values = {};
  for (const [name, value] of Object.entries(given)) {
    const known = plan.vars.find(one => one.name === name);
    if (known === undefined) {
      const names = plan.vars.map(one => one.name).join(', ');
      return { ok: false, why: `${plan.title} has no var "${name}"; it has: ${names || 'none'}.` };
    }
    const read = typeof value === 'string' ? coerce(known.type, value) : value;
    if (read === undefined || !FITS[known.type](read))
      return { ok: false, why: `The var "${name}" of ${plan.title} takes ${known.type}, and this is none.` };
    vars[name] = read;
  }
  return { ok: true, vars };
}

/**
 * The vars that a run begins with: the author's defaults, then what was given with the message that starts it, and that
 * message in the seed var. `directory` is the message's workspace. Only what the author wrote is expanded, never what a
 * person typed.
 */
export function runVars(plan: Plan, directory: string, seed: string, given: Values = {}): Values {
  const vars: Values = {};
  for (const { name, type, default: value = null } of plan.vars) {
    const expanded = type === 'string' && typeof value === 'string';
    vars[name] = expanded ? value.replaceAll(PROJECT_DIR, () => directory) : value;
  }
  Object.assign(vars, given);
  if (plan.seedVar !== null) vars[plan.seedVar] = seed;
  return vars;
}
