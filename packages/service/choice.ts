import {
  type Choice,
  BackendMissing,
  chooseBackend,
  LAST_RESORT,
  plainBackend,
  type Wanted,
  wantedIn,
  type Wish,
} from '@hearth/backends/choice.ts';
import { Acp } from '@hearth/backends/acp/backend.ts';
import { ClaudeCode } from '@hearth/backends/claude-code/backend.ts';
import { Codex } from '@hearth/backends/codex/backend.ts';
import { expandEnvironment } from '@hearth/backends/environment.ts';
import { ModelApi } from '@hearth/backends/model-api/backend.ts';
import type { ModelApiPorts } from '@hearth/backends/model-api/ports.ts';
import { Rehearsal } from '@hearth/backends/rehearsal/backend.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { ChooseBackend } from '@hearth/engine/run.ts';

/*
 * Which backend and which model a node gets. What a bot names comes first, then what a person set for the conversation, for
 * the bot, in the environment and in the settings, then what can be used. A choice that somebody made is never replaced by
 * another: it fails and says what is missing.
 */

/** The environment that `${…}` in a bot is expanded from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The backend that a node gets, and why, as a phrase for a person. */
export interface Chosen {
  readonly name: string;
  readonly why: string;
}

/** The backends of an installation, in order of preference. Whoever brings another adds it here. */
export function standardBackends(ports: ModelApiPorts): readonly Backend[] {
  return [new ModelApi(ports), new ClaudeCode(ports), new Codex(ports), new Acp(ports), new Rehearsal(ports)];
}

/** Something that a person set, whose word counts before that of the next. */
interface Layer extends Wanted, Omit<Wish, 'name'> {}

type Whose = NonNullable<Parameters<ChooseBackend>[0]['whose']>;

/** Chooses for the nodes of any bot. `ofBot` is what a person set for a bot of that name. */
export function backendChooser(
  backends: readonly Backend[],
  env: Environment,
  ofBot: (bot: string) => string | null = () => null,
): ChooseBackend {
  return async wanted => {
    const layers = layersOf(env, wanted.whose ?? null, ofBot);
    const own = leftOpen(wanted.backend, layers) ? null : given(wanted.backend, env);
    const model = leftOpen(wanted.model, layers) ? null : named(given(wanted.model, env));
    const { backend, why } = await chosen(own, model, layers, backends);
    return {
      backend,
      why,
      model: {
        model: modelFor(backend.name, model, layers),
        provider: given(wanted.provider, env),
        effort: given(wanted.effort, env),
      },
    };
  };
}

/** What a bot gets that leaves everything open. Never rejects: when there is nothing, `why` says so. */
export async function currentChoice(backends: readonly Backend[], env: Environment): Promise<Chosen> {
  try {
    const { backend, why } = await chosen(
      null,
      null,
      layersOf(env, null, () => null),
      backends,
    );
    return { name: backend.name, why };
  } catch (error) {
    return { name: 'none', why: error instanceof Error ? error.message : 'no backend can be used' };
  }
}

function layersOf(
  env: Environment,
  whose: Whose | null,
  ofBot: (bot: string) => string | null,
): readonly Layer[] {
  const layer = (text: string | null | undefined, by: string, where: string): Layer => ({
    ...wantedIn(text ?? ''),
    by,
    where,
  });
  return [
    layer(whose?.own, 'the conversation names it', 'The conversation'),
    layer(
      whose === null ? null : ofBot(whose.bot),
      'the settings name it for this bot',
      'What is set for this bot',
    ),
    {
      backend: named(env['HEARTH_BACKEND']),
      model: null,
      by: 'HEARTH_BACKEND names it',
      where: 'HEARTH_BACKEND',
    },
    {
      ...layer(
        env['HEARTH_MODEL'],
        'HEARTH_MODEL or the settings name it',
        'What HEARTH_MODEL or the settings name',
      ),
      found: true,
    },
  ];
}

async function chosen(
  own: string | null,
  model: string | null,
  layers: readonly Layer[],
  backends: readonly Backend[],
): Promise<Choice> {
  const wishes = [
    { name: own, by: 'the node names it', where: 'The node' },
    { name: wantedIn(model ?? '').backend, by: 'the node names its model', where: 'The node' },
    ...layers.map(({ backend, ...said }) => ({ name: backend, ...said })),
  ];
  const choice = await chooseBackend(wishes, backends);
  if (choice.backend.name !== LAST_RESORT || wishes.some(({ name }) => named(name) !== null)) return choice;
  const wanted = layers.find(layer => layer.model !== null)?.model ?? null;
  if (wanted === null) return choice;
  // Whoever names a model does not want a rehearsal instead.
  const others = backends.filter(one => one.name !== LAST_RESORT);
  const reasons = await Promise.all(others.map(async one => (await one.detect()).why));
  if (reasons.length === 0) return choice;
  throw new BackendMissing(
    '',
    `The model "${wanted}", which HEARTH_MODEL or the settings name, cannot be used: ${reasons.join('; ')}.`,
  );
}

/** The model for a backend: the node's own, else the first that somebody set and that is not meant for another backend. */
function modelFor(backend: string, own: string | null, layers: readonly Layer[]): string {
  for (const { backend: meant, model } of [wantedIn(own ?? ''), ...layers]) {
    if (model !== null && (meant === null || plainBackend(meant) === backend)) return model;
  }
  return 'auto';
}

/** `${HEARTH_MODEL:-…}` is how a bot leaves the choice to its person: whoever has said something is heard in their order. */
function leftOpen(text: string | null, layers: readonly Layer[]): boolean {
  if (text === null || !/\$\{?HEARTH_(?:MODEL|BACKEND)\b/.test(text)) return false;
  return layers.some(({ backend, model }) => backend !== null || model !== null);
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
