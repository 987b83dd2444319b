import type { Backend } from '@hearth/engine/backend.ts';

/*
 * Chooses the backend of a node: what the node names, else the workflow's default, else `HEARTH_BACKEND`, else the
 * first usable one, and the rehearsal last. A backend that somebody named is never silently replaced by another.
 */

/** Names that sources written elsewhere use, and ours. */
export const aliases: Readonly<Record<string, string>> = {
  claw: 'model-api',
  model_api: 'model-api',
  claude: 'claude-code',
  claude_code: 'claude-code',
};

/** The name of the backend that always works, and is chosen last. */
export const LAST_RESORT = 'rehearsal';

/** Somebody named a backend that is not there or cannot be used. The message is one sentence for a person. */
export class BackendMissing extends Error {
  readonly code = 'backend_missing';
  readonly backend: string;
  constructor(backend: string, message: string) {
    super(message);
    this.name = 'BackendMissing';
    this.backend = backend;
  }
}

/** The chosen backend and why, as a short phrase for a person. */
export interface Choice {
  readonly backend: Backend;
  readonly why: string;
}

/**
 * `available` is in order of preference. A name may be an alias; empty and `auto` mean that nobody chose. Rejects with
 * `BackendMissing`.
 */
export async function chooseBackend(
  nodeBackend: string | null,
  workflowDefault: string | null,
  env: Readonly<Record<string, string | undefined>>,
  available: readonly Backend[],
): Promise<Choice> {
  const wishes = [
    { name: wish(nodeBackend), by: 'the node names it', where: 'The node' },
    { name: wish(workflowDefault), by: "it is the workflow's default", where: 'The workflow' },
    { name: wish(env['HEARTH_BACKEND']), by: 'HEARTH_BACKEND names it', where: 'HEARTH_BACKEND' },
  ];
  for (const { name, by, where } of wishes) {
    if (name !== null) return { backend: await named(name, where, available), why: by };
  }
  const others = available.filter(backend => backend.name !== LAST_RESORT);
  for (const backend of [...others, ...available.filter(one => one.name === LAST_RESORT)]) {
    const found = await backend.detect();
    if (found.usable) return { backend, why: found.why };
  }
  throw new BackendMissing('', 'No backend can be used here; install one or configure a model.');
}

function wish(name: string | null | undefined): string | null {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' || trimmed === 'auto' ? null : trimmed;
}

async function named(name: string, where: string, available: readonly Backend[]): Promise<Backend> {
  const wanted = Object.hasOwn(aliases, name) ? aliases[name] : name;
  const backend = available.find(one => one.name === wanted);
  if (backend === undefined) {
    const names = available.map(one => one.name).join(', ');
    throw new BackendMissing(
      name,
      `${where} asks for the backend "${name}", which is not there; use one of: ${names}.`,
    );
  }
  const found = await backend.detect();
  if (found.usable) return backend;
  throw new BackendMissing(
    name,
    `${where} asks for the backend "${name}", which cannot be used: ${found.why}.`,
  );
}
