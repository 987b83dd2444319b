import { plainBackend, wantedIn } from '@hearth/backends/choice.ts';
import { KNOWN_BACKENDS } from '@hearth/backends/known-backends.ts';
import { ModelApi } from '@hearth/backends/model-api/backend.ts';
import { factsOf, VENDOR_MODELS } from '@hearth/backends/model-api/models.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { BackendReport, KnownModel, ModelTrial, ProviderReport } from '@hearth/protocol/models.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { type Chosen, currentChoice } from './choice.ts';
import type { DefaultModel } from './default-model.ts';
import { trialOf } from './trial.ts';

/*
 * What a person is told of backends and models, and how they are tried. Nothing of it holds a key: what was detected is said
 * by the names of variables and programs.
 */

/** What the service knows of models. */
export interface Models {
  /** Every backend that Hearth knows of, and why it is or is not the one that open bots get. */
  backends(): Promise<readonly BackendReport[]>;
  /** How every provider stands, in order of preference. */
  providers(): Promise<readonly ProviderReport[]>;
  /** What a bot gets that leaves everything open. */
  chosen(): Promise<Chosen>;
  /** Asks a backend or a model for a word. */
  trial(wanted: string): Promise<ModelTrial>;
  readonly standard: Pick<DefaultModel, 'facts' | 'change' | 'changeOf' | 'bots'>;
}

/** Where a trial may write; what it leaves there is removed. */
export interface TrialPlace {
  readonly disk: Disk;
  readonly directory: string;
  readonly clock: Clock;
}

/** The models of a service. */
export function modelsOf(backends: readonly Backend[], standard: DefaultModel, place: TrialPlace): Models {
  const { env } = standard;
  const api = backends.find(one => one instanceof ModelApi);
  return {
    backends: () => reportsOf(backends, env),
    providers: async () => (await api?.providers()) ?? [],
    chosen: () => currentChoice(backends, env),
    trial: async text => {
      const asked = wantedIn(text);
      const open = asked.backend === null && asked.model === null;
      const { backend: named, model } = open ? wantedIn(env['HEARTH_MODEL'] ?? '') : asked;
      const name = named ?? (model === null ? (await currentChoice(backends, env)).name : 'model-api');
      const backend = backends.find(one => one.name === plainBackend(name));
      if (backend === undefined) return missing(`The backend "${name}" is not there.`);
      return backend === api
        ? await api.trial(model ?? 'auto')
        : await trialOf(backend, model ?? 'auto', place);
    },
    standard,
  };
}

function missing(message: string): ModelTrial {
  return { ok: false, code: 'missing', message };
}

async function reportsOf(
  backends: readonly Backend[],
  env: DefaultModel['env'],
): Promise<readonly BackendReport[]> {
  const chosen = await currentChoice(backends, env);
  const own = backends.filter(one => !KNOWN_BACKENDS.some(known => known.name === one.name));
  const rows = [
    ...KNOWN_BACKENDS.map(({ name, title, needs }) => ({ name, title, needs })),
    ...own.map(({ name }) => ({ name, title: name, needs: '' })),
  ];
  return await Promise.all(
    rows.map(async ({ name, title, needs }) => {
      const backend = backends.find(one => one.name === name);
      const found = await backend?.detect();
      const usable = found?.usable === true;
      const why = found?.why ?? `it is not installed: ${needs}`;
      const version = found?.version === undefined ? {} : { version: found.version };
      const isChosen = chosen.name === name;
      const reason = isChosen ? chosen.why : notChosen(usable, chosen);
      return { name, title, usable, why, ...version, chosen: isChosen, reason };
    }),
  );
}

function notChosen(usable: boolean, { name, why }: Chosen): string {
  if (!usable) return 'it cannot be used';
  return name === 'none' ? why : `"${name}" comes first: ${why}`;
}

/** What is known of the vendors' models and of those that servers list. */
export function knownModels(providers: readonly ProviderReport[]): readonly KnownModel[] {
  const listed = providers.flatMap(({ id, models }) => models.map(model => ({ provider: id, model })));
  const all: { readonly provider: string; readonly model: string }[] = [...VENDOR_MODELS];
  for (const one of listed)
    if (!all.some(known => known.provider === one.provider && known.model === one.model)) all.push(one);
  return all.map(({ provider, model }) => {
    const { window, price } = factsOf(provider, model);
    if (price === null) return { provider, model, window, price };
    const { input, output, cacheRead, cacheWrite } = price;
    return { provider, model, window, price: { input, output, cacheRead, cacheWrite } };
  });
}
