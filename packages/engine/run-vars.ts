import { coerce } from '@hearth/language/coercion.ts';
import type { Type, Var } from '@hearth/language/plan.ts';
import type { Value, Values } from '@hearth/language/value.ts';
import { FITS } from './envelope.ts';
import type { Plan } from './runnable.ts';

/** The name by which a var's default, or a preset, means the directory that the run begins to work in. */
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
    const stray = outsideEnum(plan, known, read);
    if (stray !== null) return { ok: false, why: stray };
    vars[name] = read;
  }
  return { ok: true, vars };
}

/** The sentence that says that a value is none of those that its var may have; `null` when it is one. */
function outsideEnum(plan: Plan, { name, enum: words }: Var, value: Value): string | null {
  if (words === undefined || typeof value !== 'string' || words.includes(value)) return null;
  return `The var "${name}" of ${plan.title} is one of ${words.join(', ')}, and this is ${JSON.stringify(value.slice(0, 100))}.`;
}

/**
 * The values of a preset, ready for a run that begins in `directory`; or why there are none. They were held to their
 * vars when the plan was made.
 */
export function presetVars(plan: Plan, name: string, directory: string): GivenVars {
  const presets = plan.presets ?? {};
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset === undefined) {
    const known = Object.keys(presets).map(one => {
      const note = plan.presetNotes?.[one];
      return note === undefined ? one : `${one} (${note})`;
    });
    const has = known.join(', ') || 'none';
    return { ok: false, why: `${plan.title} has no preset "${name}"; it has: ${has}.` };
  }
  for (const one of plan.vars) {
    const value = preset[one.name];
    const stray = value === undefined ? null : outsideEnum(plan, one, value);
    if (stray !== null) return { ok: false, why: `${stray} The preset "${name}" gives it.` };
  }
  const types = new Map(plan.vars.map(one => [one.name, one.type]));
  const vars = Object.entries(preset).map(
    ([key, value]) => [key, expanded(types.get(key), value, directory)] as const,
  );
  return { ok: true, vars: Object.fromEntries(vars) };
}

/** What an author wrote for a var, in which the directory's name stands for it. */
function expanded(type: Type | undefined, value: Value, directory: string): Value {
  const named = type === 'string' && typeof value === 'string';
  return named ? value.replaceAll(PROJECT_DIR, () => directory) : value;
}

/**
 * The vars that a run begins with: the author's defaults, then what was given with the message that starts it, and that
 * message in the seed var. `directory` is the message's workspace. Only what the author wrote is expanded, never what a
 * person typed.
 */
export function runVars(plan: Plan, directory: string, seed: string, given: Values = {}): Values {
  const vars: Values = {};
  for (const { name, type, default: value = null } of plan.vars)
    vars[name] = expanded(type, value, directory);
  Object.assign(vars, given);
  if (plan.seedVar !== null) vars[plan.seedVar] = seed;
  return vars;
}
