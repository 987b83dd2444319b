import { chooseBackend } from '@hearth/backends/choice.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { ChooseBackend } from '@hearth/engine/run.ts';

/** The environment that `${…}` in a bot is expanded from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Chooses for the nodes of any bot; what a bot leaves to its person is taken from the environment. */
export function backendChooser(backends: readonly Backend[], env: Environment): ChooseBackend {
  return async wanted => {
    const { backend, why } = await chooseBackend(given(wanted.backend, env), null, env, backends);
    const model = given(wanted.model, env) ?? 'auto';
    return {
      backend,
      why,
      model: { model, provider: given(wanted.provider, env), effort: given(wanted.effort, env) },
    };
  };
}

/** Expands `${NAME}` and `${NAME:-default}`; an empty variable counts as unset. Text that is no such form stays. */
export function expand(text: string, env: Environment): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_whole, name: string, fallback?: string) => env[name] || (fallback ?? ''),
  );
}

function given(text: string | null, env: Environment): string | null {
  const expanded = text === null ? '' : expand(text, env).trim();
  return expanded === '' ? null : expanded;
}
