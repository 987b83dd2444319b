import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import { didYouMean } from '@hearth/language/nearest.ts';
import type { Plan, Type } from '@hearth/language/plan.ts';
import type { BundleFiles } from './bundle.ts';
import type { Manifest } from './manifest.ts';
import { VERSION } from './version.ts';

/* What a manifest says of its workflow: the nodes, fields and vars that it names are there and fit. */

type Path = readonly (string | number)[];
/** Reports a fault; `near` are names of which one may have been meant by `wrong`. */
type Say = (code: string, path: Path, message: string, wrong?: string, near?: Iterable<string>) => void;
type Check = (manifest: Manifest, plan: Plan, error: Say, warn: Say) => void;

/** Everything that the manifest says wrongly of the plan, in the order of the checks. */
export function manifestDiagnostics(files: BundleFiles, plan: Plan): readonly Diagnostic[] {
  const { manifest, locate } = files;
  if (manifest === null) return [];
  const found: Diagnostic[] = [];
  const say =
    (severity: Diagnostic['severity']): Say =>
    (code, path, message, wrong = '', near = []) => {
      const fix = didYouMean(wrong, near);
      const place = { file: 'manifest.yaml', at: locate(path) };
      found.push({ code, severity, message, ...place, ...(fix === undefined ? {} : { fix }) });
    };
  for (const check of CHECKS) check(manifest, plan, say('error'), say('warning'));
  return found;
}

/** C230: memory that belongs to the bot is found by its name, so that bundle, workflow and directory have one. */
export function memoryDiagnostics(files: BundleFiles, plan: Plan): readonly Diagnostic[] {
  const node = Object.values(plan.nodes).find(
    one => (one.kind === 'agent' || one.kind === 'judge') && one.memory?.visibility === 'bot',
  );
  const bundle = files.manifest?.name ?? files.name;
  if (node === undefined || (bundle === files.name && bundle === plan.name)) return [];
  const message = `The memory of "${node.name}" belongs to the bot, which is "${bundle}" as a bundle, "${plan.name}" as a workflow and "${files.name}" as a directory.`;
  const at = { line: 1, column: 1 };
  return [{ code: 'C230', severity: 'error', message, file: files.mainFile, at, node: node.name }];
}

const stringVars = (plan: Plan): readonly string[] =>
  plan.vars.filter(one => one.type === 'string').map(one => one.name);

const isStringVar = (plan: Plan, name: string): boolean => stringVars(plan).includes(name);

/** C205, C206: the nodes that the chat draws are there, and are people where it says so. */
const chatNodes: Check = ({ chat }, plan, error) => {
  for (const [name, { kind }] of Object.entries(chat?.nodes ?? {})) {
    const node = Object.hasOwn(plan.nodes, name) ? plan.nodes[name] : undefined;
    const path = ['chat', 'nodes', name];
    if (node === undefined) {
      const message = `The manifest's chat names a node "${name}" that the workflow does not have.`;
      error('C205', path, message, name, Object.keys(plan.nodes));
    } else if (kind === 'human' && node.kind !== 'human') {
      const message = `The manifest's chat calls "${name}" a human, and in the workflow it is of kind ${node.kind}.`;
      error('C206', path, message);
    }
  }
};

const FIELDS = { text_field: 'string', summary_field: 'string', approved_field: 'bool' } as const;

/** C207: the fields that the chat shows are in the output of their node, with the type that is shown. */
const chatFields: Check = ({ chat }, plan, error) => {
  for (const [name, node] of Object.entries(chat?.nodes ?? {})) {
    const output = Object.hasOwn(plan.nodes, name) ? plan.nodes[name]?.output : undefined;
    if (output === undefined) continue;
    for (const [key, type] of entriesOf(FIELDS)) {
      const field = node[key];
      if (field === undefined || fieldsOf(plan, output, type).includes(field)) continue;
      const message = `The manifest's ${key} of "${name}" is "${field}", which is no ${type} field of what the node puts out.`;
      error('C207', ['chat', 'nodes', name, key], message, field, fieldsOf(plan, output, type));
    }
  }
};

/** C212: only a human that the host may answer has a field for the host's event, and no node of ours can be one. */
const hostEvents: Check = ({ chat }, _, __, warn) => {
  for (const [name, node] of Object.entries(chat?.nodes ?? {})) {
    if (node.host_event_field === undefined) continue;
    const message = `The manifest's chat names a host_event_field for "${name}", which the host never answers.`;
    warn('C212', ['chat', 'nodes', name, 'host_event_field'], message);
  }
};

/** C208, C209: the vars that the chat fills hold text. */
const chatVars: Check = ({ chat }, plan, error) => {
  const { seed_var: seed } = chat ?? {};
  if (seed !== undefined && !isStringVar(plan, seed)) {
    const message = `The manifest's chat.seed_var names "${seed}", which is no string var of the workflow.`;
    error('C208', ['chat', 'seed_var'], message, seed, stringVars(plan));
  }
  for (const [index, name] of (chat?.launcher_vars ?? []).entries()) {
    if (isStringVar(plan, name)) continue;
    const message = `The manifest's chat.launcher_vars names "${name}", which is no string var of the workflow.`;
    error('C209', ['chat', 'launcher_vars', index], message, name, stringVars(plan));
  }
};

/** C200 to C204: whoever starts the bot can fill the vars that they are told to fill. */
const startVars: Check = (manifest, plan, _, warn) => {
  const known = (code: string, path: Path, names: Names): void => {
    for (const [key, name] of namesIn(names)) {
      if (plan.vars.some(one => one.name === name)) continue;
      const message = `The manifest's "${path.join('.')}" names "${name}", which is no var of the workflow.`;
      const names = plan.vars.map(one => one.name);
      warn(code, key === null ? path : [...path, key], message, name, names);
    }
  };
  known('C200', ['dispatch_vars'], manifest.dispatch_vars);
  for (const [index, invocation] of (manifest.invocations ?? []).entries()) {
    const path = ['invocations', index];
    known('C201', [...path, 'context_vars'], invocation.context_vars);
    known('C202', [...path, 'schedule', 'default_vars'], invocation.schedule?.default_vars);
    known('C204', [...path, 'args_var'], invocation.args_var);
  }
  known('C203', ['forge', 'webhook', 'launch_vars'], manifest.forge?.webhook?.launch_vars);
};

/** C210, C211: the secret by which a forge is reached is declared, and is a file. */
const forgeSecret: Check = ({ forge }, plan, _, warn) => {
  const name = forge?.secret;
  if (name === undefined) return;
  const path = ['forge', 'secret'];
  const secret = plan.secrets?.find(one => one.name === name);
  if (secret === undefined) {
    warn(
      'C210',
      path,
      `The manifest's forge.secret names "${name}", which the workflow does not declare as a secret.`,
    );
  } else if (secret.as !== 'file') {
    warn('C211', path, `The manifest's forge.secret names "${name}", which is a value and must be a file.`);
  }
};

/** C220: what the manifest says that the bot may do, some node may do. */
const capabilities: Check = ({ capabilities: listed }, plan, _, warn) => {
  const used = Object.values(plan.nodes).flatMap(node =>
    node.kind === 'agent' || node.kind === 'judge' ? node.capabilities : [],
  );
  for (const [index, name] of (listed ?? []).entries()) {
    if (used.includes(name)) continue;
    const message = `The manifest's capabilities name "${name}", which no node of the workflow has.`;
    warn('C220', ['capabilities', index], message);
  }
};

/** C250, C251: the bot's requirements of Hearth are met; those of another engine cannot be checked. */
const requirements: Check = ({ requires }, _, error, warn) => {
  for (const [engine, wanted] of Object.entries(requires ?? {})) {
    const path = ['requires', engine];
    const least = /^\s*>=\s*(\d+\.\d+\.\d+)\s*$/.exec(wanted)?.[1];
    if (engine !== 'hearth' || least === undefined) {
      warn('C251', path, `The manifest requires ${engine} ${wanted}, which cannot be checked here.`);
    } else if (isOlder(VERSION, least)) {
      error(
        'C250',
        path,
        `The bot requires Hearth ${least} or later, and this is ${VERSION}: update Hearth.`,
      );
    }
  }
};

const CHECKS: readonly Check[] = [
  startVars,
  chatNodes,
  chatFields,
  chatVars,
  hostEvents,
  forgeSecret,
  capabilities,
  requirements,
];

type Names = string | readonly string[] | Readonly<Record<string, unknown>> | undefined;

/** The names, each with its key below the property that holds them. */
function namesIn(names: Names): readonly (readonly [string | number | null, string])[] {
  if (names === undefined) return [];
  if (typeof names === 'string') return [[null, names]];
  return isList(names) ? [...names.entries()] : Object.keys(names).map(name => [name, name]);
}

function isList(names: object): names is readonly string[] {
  return Array.isArray(names);
}

/** The fields of a schema that have a type. */
function fieldsOf(plan: Plan, schema: string | null, type: Type): readonly string[] {
  const found = schema !== null && Object.hasOwn(plan.schemas, schema) ? plan.schemas[schema] : undefined;
  return (found?.fields ?? []).filter(field => field.type === type).map(field => field.name);
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): readonly (readonly [K, V])[] {
  // The keys of a literal are its keys.
  return Object.entries(record) as [K, V][];
}

function isOlder(version: string, least: string): boolean {
  const parts = (text: string): readonly number[] => text.split(/[.+-]/, 3).map(Number);
  const [mine, wanted] = [parts(version), parts(least)];
  const at = wanted.findIndex((part, index) => part !== mine[index]);
  return at >= 0 && (mine[at] ?? 0) < (wanted[at] ?? 0);
}
