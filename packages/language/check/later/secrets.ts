import type { Position } from '../../diagnostic.ts';
import type { Model } from '../../compile/model.ts';
import { type Use, usesOf } from '../../compile/uses.ts';
import { didYouMean } from '../../nearest.ts';
import type { SecretSyntax } from '../../parse/secrets.ts';
import type { Rule } from '../rule.ts';

const KINDS: readonly string[] = ['value', 'file'];
/** A host, with a leading `*.` for all below it, and perhaps a port. */
const HOST =
  /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\d{1,5})?$/;

/** C090 to C092, C094: each secret has a name of its own, hosts that are hosts, and is a value or a file. */
export const secretDeclarations: Rule = (model, report) => {
  const seen = new Set<string>();
  for (const { name, properties } of secretsOf(model)) {
    const { value: secret, at } = name;
    if (seen.has(secret)) report.error('C090', `the secret \`${secret}\` is declared twice`, { at });
    else if (model.vars.has(secret)) {
      report.error('C091', `\`${secret}\` is a var and a secret`, { at, fix: 'rename one of them' });
    }
    seen.add(secret);
    for (const host of properties.hosts?.value ?? []) {
      if (HOST.test(host.value)) continue;
      const fix = 'write it like `api.example.com` or `*.example.com`';
      report.error('C092', `\`${host.value}\` is no host`, { at: host.at, fix });
    }
    for (const { at: place, message, fix } of formFaults(properties)) {
      report.error('C094', `the secret \`${secret}\` ${message}`, { at: place, fix });
    }
  }
};

interface FormFault {
  readonly at: Position;
  readonly message: string;
  readonly fix: string | undefined;
}

function formFaults({ as, mount_path: mount, env }: SecretSyntax['properties']): readonly FormFault[] {
  const faults: FormFault[] = [];
  if (as !== undefined && !KINDS.includes(as.value)) {
    const fix = didYouMean(as.value, KINDS) ?? 'write `as: value` or `as: file`';
    return [
      { at: as.at, message: `is given as \`${as.value}\`, which is neither \`value\` nor \`file\``, fix },
    ];
  }
  if (mount !== undefined && as?.value !== 'file') {
    const fix = 'add `as: file`, or leave the path out';
    faults.push({ at: mount.key, message: 'has a path and is no file', fix });
  } else if (mount !== undefined && (!mount.value.startsWith('/') || mount.value.split('/').includes('..'))) {
    const message = `has the path \`${mount.value}\`, which is not absolute`;
    faults.push({ at: mount.at, message, fix: 'begin it with `/`, without `..`' });
  }
  if (env !== undefined && !/^[A-Za-z_]\w*$/.test(env.value)) {
    const message = `has the variable \`${env.value}\`, which is no name of one`;
    faults.push({ at: env.at, message, fix: 'write it like `API_TOKEN`' });
  }
  return faults;
}

/** C093, C095: a secret that is read is declared, and never reaches a prompt by its value. */
export const secretUses: Rule = (model, report) => {
  const secrets = new Map(secretsOf(model).map(one => [one.name.value, one]));
  for (const use of usesOf(model)) {
    const [namespace, name = '', part] = use.path;
    if (namespace !== 'secrets') continue;
    const { at, file, edge, consumer: node } = use;
    const place = { at, file, edge, node };
    const secret = secrets.get(name);
    if (secret === undefined) {
      const fix = (): string | undefined => didYouMean(name, secrets.keys());
      report.error('C093', `the secret \`${name}\` is not declared`, { ...place, fix });
      continue;
    }
    const problem = partFault(use, secret, part);
    if (problem !== null) report.error('C095', problem.message, { ...place, fix: problem.fix });
  }
};

function partFault(
  use: Use,
  { name, properties }: SecretSyntax,
  part: string | undefined,
): { readonly message: string; readonly fix: string } | null {
  const isFile = properties.as?.value === 'file';
  const fix = isFile ? `write \`{{secrets.${name.value}.path}}\`` : `write \`{{secrets.${name.value}}}\``;
  if (part !== undefined && !(isFile && part === 'path')) {
    return { message: `the secret \`${name.value}\` has no \`${part}\``, fix };
  }
  if (use.in === 'tool' || part === 'path') return null;
  const message = `the value of the secret \`${name.value}\` may only stand in a command or a script`;
  return { message, fix: isFile ? fix : 'give the agent a tool that uses it' };
}

function secretsOf(model: Model): readonly SecretSyntax[] {
  return model.file.secrets?.value ?? [];
}
