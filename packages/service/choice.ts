import { BackendMissing, chooseBackend, LAST_RESORT } from '@hearth/backends/choice.ts';
import { ClaudeCode } from '@hearth/backends/claude-code/backend.ts';
import { expandEnvironment } from '@hearth/backends/environment.ts';
import { ModelApi } from '@hearth/backends/model-api/backend.ts';
import type { ModelApiPorts } from '@hearth/backends/model-api/ports.ts';
import { Rehearsal } from '@hearth/backends/rehearsal/backend.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { ChooseBackend } from '@hearth/engine/run.ts';
import type { ModelTrial, ProviderReport } from '@hearth/protocol/models.ts';
import type { DefaultModel } from './default-model.ts';

/*
 * Which backend and which model a node gets. What a bot names comes first, then what the person's environment names,
 * then what can be used. A choice that somebody made is never replaced by another: it fails and says what is missing.
 */

/** The environment that `${…}` in a bot is expanded from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The backend that a node gets, and why, as a phrase for a person. */
export interface Chosen {
  readonly name: string;
  readonly why: string;
}

/** The backends of an installation, in order of preference. */
export function standardBackends(ports: ModelApiPorts): readonly Backend[] {
  return [new ModelApi(ports), new ClaudeCode(ports), new Rehearsal(ports)];
}

/** What the service knows of models. */
export interface Models {
  /** How every provider stands, in order of preference. */
  providers(): Promise<readonly ProviderReport[]>;
  /** What a bot gets that leaves everything open. */
  chosen(): Promise<Chosen>;
  /** Asks a model for a word. */
  trial(model: string): Promise<ModelTrial>;
  readonly standard: Pick<DefaultModel, 'facts' | 'change'>;
}

/** The models of a service. Without a backend for them there are none. */
export function modelsOf(backends: readonly Backend[], standard: DefaultModel): Models {
  const { env } = standard;
  const api = backends.find(one => one instanceof ModelApi);
  const missing: ModelTrial = { ok: false, code: 'missing', message: 'This service talks to no model API.' };
  return {
    providers: async () => (await api?.providers()) ?? [],
    chosen: () => currentChoice(backends, env),
    trial: async model => (await api?.trial(named(model) ?? named(env['HEARTH_MODEL']) ?? 'auto')) ?? missing,
    standard,
  };
}

/** Chooses for the nodes of any bot; what a bot leaves to its person is taken from the environment. */
export function backendChooser(backends: readonly Backend[], env: Environment): ChooseBackend {
  return async wanted => {
    const { backend, why } = await chosen(given(wanted.backend, env), backends, env);
    const model = named(given(wanted.model, env)) ?? named(env['HEARTH_MODEL']) ?? 'auto';
    return {
      backend,
      why,
      model: { model, provider: given(wanted.provider, env), effort: given(wanted.effort, env) },
    };
  };
}

/** What a bot gets that leaves everything open. Never rejects: when there is nothing, `why` says so. */
export async function currentChoice(backends: readonly Backend[], env: Environment): Promise<Chosen> {
  try {
    const { backend, why } = await chosen(null, backends, env);
    return { name: backend.name, why };
  } catch (error) {
    return { name: 'none', why: error instanceof Error ? error.message : 'no backend can be used' };
  }
}

async function chosen(wanted: string | null, backends: readonly Backend[], env: Environment) {
  const choice = await chooseBackend(wanted, null, env, backends);
  const model = named(env['HEARTH_MODEL']);
  const byDefault = wanted === null && named(env['HEARTH_BACKEND']) === null;
  if (model === null || !byDefault || choice.backend.name !== LAST_RESORT) return choice;
  // Whoever names a model does not want a rehearsal instead.
  const others = backends.filter(one => one.name !== LAST_RESORT);
  const reasons = await Promise.all(others.map(async one => (await one.detect()).why));
  if (reasons.length === 0) return choice;
  throw new BackendMissing(
    '',
    `The model "${model}", which HEARTH_MODEL or the settings name, cannot be used: ${reasons.join('; ')}.`,
  );
}

function given(text: string | null, env: Environment): string | null {
  const expanded = text === null ? '' : expandEnvironment(text, env).trim();
  return expanded === '' ? null : expanded;
}

/** A name that leaves nothing open. */
function named(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' || trimmed === 'auto' ? null : trimmed;
}
