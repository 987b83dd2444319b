import type { Model } from './model.ts';

/** The nodes that publish each name, in the order of the model. */
export function publishersOf(model: Model): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, syntax } of model.nodes.values()) {
    if (syntax === null || !('publish' in syntax.properties) || !syntax.properties.publish) continue;
    const artifact = syntax.properties.publish.value;
    const names = found.get(artifact) ?? new Set();
    found.set(artifact, names.add(name));
  }
  return found;
}
