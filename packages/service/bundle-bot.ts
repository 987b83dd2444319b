import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { skillTool } from '@hearth/backends/tools/skill.ts';
import { type Bot, BotError, type OwnFile } from '@hearth/engine/bot.ts';
import { runnable } from '@hearth/engine/runnable.ts';
import { withBundleFix } from '@hearth/language/codes/bundle-fixes.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import type { Plan } from '@hearth/language/plan.ts';
import { mimeOf } from '@hearth/protocol/mime.ts';
import { canonicalJson, Json } from '@hearth/protocol/json.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { z } from 'zod';
import type { BundleFiles } from './bundle.ts';
import { manifestDiagnostics, memoryDiagnostics } from './manifest-checks.ts';

/* From the files of a bundle to a bot. With it comes the compiler, which no start of the service needs. */

export { placeBundle, readBundle } from './bundle.ts';

/** All that is wrong with a bundle whose files were read. */
export function checkFiles(files: BundleFiles): readonly Diagnostic[] {
  return compiled(files).diagnostics;
}

/** The bot of a bundle whose files were read. Throws `BotError` when it has an error, or needs what cannot be run. */
export function botFrom(name: string, files: BundleFiles): Bot {
  const { plan, diagnostics } = compiled(files);
  if (plan === null) {
    const errors = diagnostics.filter(one => one.severity === 'error');
    const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
    const message = `The bot ${name} has ${count} and cannot run: mend it, and see "hearth check ${files.path}".`;
    throw new BotError('broken_bot', message, errors.map(lineOf));
  }
  const narrowed = runnable(plan);
  if (narrowed.plan === null) {
    const message = `The bot ${name} needs ${listed(narrowed.missing)}, which this version cannot run yet: leave that out, or choose another bot.`;
    throw new BotError('unsupported_bot', message);
  }
  const title = files.manifest?.display_name ?? files.manifest?.name ?? files.name;
  const titled = { ...narrowed.plan, title };
  return {
    name,
    title,
    plan: titled,
    digest: sha256(canonicalJson(titled)),
    sources: files.sources,
    tools: files.skills.length === 0 ? [] : [skillTool(files.skills)],
    ...ownFilesOf(files),
    ...dispatchVarsOf(files),
  };
}

/** Only a map gives values; a list names vars and gives none. */
function dispatchVarsOf({ manifest }: BundleFiles): Pick<Bot, 'dispatchVars'> {
  const vars = manifest?.dispatch_vars;
  if (vars === undefined || Array.isArray(vars)) return {};
  const values = z.record(z.string(), Json).safeParse(vars);
  return values.success && Object.keys(values.data).length > 0 ? { dispatchVars: values.data } : {};
}

function ownFilesOf({ attachments }: BundleFiles): Pick<Bot, 'attachments'> {
  const own = Object.entries(attachments).map(([name, path]): [string, OwnFile] => [
    name,
    { name: basename(path), mime: mimeOf(path), read: () => readFile(path) },
  ]);
  return own.length === 0 ? {} : { attachments: Object.fromEntries(own) };
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}

/** A diagnostic in one line: `file:line:column code message`. */
function lineOf(one: Diagnostic): string {
  return `${one.file}:${one.at.line}:${one.at.column} ${one.code} ${one.message}`;
}

/** The plan, when neither the sources nor the manifest have an error, and everything that is to be said. */
function compiled(files: BundleFiles): {
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  if (files.main === null) return { plan: null, diagnostics: files.diagnostics.map(withBundleFix) };
  const { plan, diagnostics } = compileBundle({
    main: files.main,
    prompts: files.prompts,
    presets: files.presets,
    mainName: files.mainFile,
  });
  const manifest =
    plan === null ? [] : [...manifestDiagnostics(files, plan), ...memoryDiagnostics(files, plan)];
  const all = [...diagnostics, ...files.diagnostics, ...manifest].map(withBundleFix);
  const wrong = all.some(one => one.severity === 'error');
  return { plan: plan === null || wrong ? null : seeded(plan, files), diagnostics: all };
}

/** The manifest may name the var that takes a run's first message. */
function seeded(plan: Plan, { manifest }: BundleFiles): Plan {
  const name = manifest?.chat?.seed_var;
  return name === undefined ? plan : { ...plan, seedVar: name };
}
