import type { Position } from '../diagnostic.ts';
import type { SandboxSyntax } from '../parse/sandbox.ts';
import type { Sandbox } from '../plan/settings.ts';
import type { Entry } from '../parse/kinds.ts';
import type { Model } from './model.ts';

/** What is wrong with a sandbox, the first thing only; such a sandbox counts as none. */
export interface SandboxProblem {
  readonly message: string;
  readonly at: Position;
}

const MODES: readonly Sandbox['mode'][] = ['none', 'auto', 'inline'];
const STATES: readonly NonNullable<Sandbox['hostState']>[] = ['auto', 'none'];

/** A sandbox as written, or why it is none. */
export function sandboxOf({ mode: word, at, properties }: SandboxSyntax): Sandbox | SandboxProblem {
  const { host_state: state, build, network } = properties;
  const mode = MODES.find(one => one === word);
  if (mode === undefined) {
    return { message: `\`${word}\` is no sandbox mode; it is none, auto or inline`, at };
  }
  const hostState = state ? STATES.find(one => one === state.value) : null;
  if (hostState === undefined) {
    return { message: `\`${state?.value}\` is no host state; it is auto or none`, at: state?.at ?? at };
  }
  const image = properties.image?.value ?? '';
  if (mode === 'inline' && image === '' && !build) {
    return { message: 'an inline sandbox needs an image or a build', at };
  }
  if (image !== '' && build) return { message: 'a sandbox has either an image or a build', at: build.key };
  return {
    mode,
    image: image === '' ? null : image,
    user: properties.user?.value ?? null,
    workspaceFolder: properties.workspace_folder?.value ?? null,
    postCreate: properties.post_create?.value ?? null,
    hostState,
    env: recordOf(properties.env?.value),
    mounts: texts(properties.mounts?.value),
    network: network
      ? {
          mode: network.value.mode?.value ?? null,
          preset: network.value.preset?.value ?? null,
          inherit: network.value.inherit?.value ?? null,
          rules: texts(network.value.rules?.value),
        }
      : null,
    build: build
      ? {
          dockerfile: build.value.dockerfile?.value ?? null,
          context: build.value.context?.value ?? null,
          args: recordOf(build.value.args?.value),
        }
      : null,
  };
}

/** Whether nodes of the workflow run in a sandbox. */
export function sandboxIsActive(model: Model): boolean {
  const written = model.workflow.properties.sandbox?.value;
  const sandbox = written && sandboxOf(written);
  return sandbox !== undefined && 'mode' in sandbox && sandbox.mode !== 'none';
}

function texts(list: readonly { readonly value: string }[] | undefined): readonly string[] {
  return list?.map(one => one.value) ?? [];
}

function recordOf(entries: readonly Entry[] | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(entries?.map(({ name, value }) => [name.value, value.value]) ?? []);
}
