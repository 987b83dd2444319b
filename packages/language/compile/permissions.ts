import type { AgentSyntax } from '../parse/agent.ts';
import type { SecretSyntax } from '../parse/secrets.ts';
import type { Permission, Secret } from '../plan/settings.ts';
import type { Model } from './model.ts';

const MODES: readonly Permission['mode'][] = ['off', 'ask', 'deny'];
const LISTS = ['allow', 'ask', 'deny'] as const;

type Gate = Pick<AgentSyntax['properties'], 'permission' | (typeof LISTS)[number]>;

/**
 * The gate of a node: its own word and its own list of each kind of rule, else the workflow's. Undefined when nobody wrote
 * anything of it.
 */
export function permissionOf(model: Model, own: Gate): Permission | undefined {
  const whole: Gate = model.workflow.properties;
  const rules = (list: (typeof LISTS)[number]): readonly string[] =>
    ((own[list] ?? whole[list])?.value ?? []).map(rule => rule.value);
  const word = (own.permission ?? whole.permission)?.value;
  const [allow, ask, deny] = [rules('allow'), rules('ask'), rules('deny')];
  if (word === undefined && [allow, ask, deny].every(list => list.length === 0)) return undefined;
  return { mode: MODES.find(mode => mode === word) ?? 'off', allow, ask, deny };
}

/** A secret as the plan holds it. */
export function secretOf({ name, properties }: SecretSyntax): Secret {
  return {
    name: name.value,
    value: properties.value?.value ?? null,
    as: properties.as?.value === 'file' ? 'file' : 'value',
    mountPath: properties.mount_path?.value ?? null,
    env: properties.env?.value ?? null,
    optional: properties.optional?.value ?? false,
    hosts: (properties.hosts?.value ?? []).map(host => host.value),
    description: properties.description?.value ?? null,
  };
}
