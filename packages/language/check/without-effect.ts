import type { Rule } from './rule.ts';

/*
 * H006: what compiles and runs, but does nothing. Leaving it out changes nothing, so it is a warning; that it is silently
 * ignored is what must not happen. An issue that gives a property an effect takes its line away here; a router that
 * chooses itself asks no condition by its nature.
 */

const PROPERTIES: Readonly<Record<string, string>> = {
  max_tokens: 'answers are not bounded',
};

/** What becomes of the condition of an edge that leaves a router of a mode which asks for none. */
const UNASKED: Readonly<Record<string, string>> = {
  fan_out_all: 'every edge is taken',
  round_robin: 'an edge with one is never taken',
  llm: 'the model chooses',
};

/** Without a sandbox nothing stands between a program and what it reads and sends. */
const OF_SECRETS: Readonly<Record<string, string>> = {
  hosts: 'nothing keeps a program from sending the secret elsewhere',
  mount_path: 'the file lies elsewhere; `{{secrets.NAME.path}}` says where',
};

/** Reports H006 for each property that compiles and changes nothing. */
export const withoutEffect: Rule = (model, report) => {
  const { file, nodes, edges } = model;
  for (const { properties } of file.secrets?.value ?? []) {
    for (const [property, why] of Object.entries(OF_SECRETS)) {
      const written = property === 'hosts' ? properties.hosts : properties.mount_path;
      if (written) report.warn('H006', `\`${property}\` has no effect yet: ${why}`, { at: written.key });
    }
  }
  for (const { name, syntax } of nodes.values()) {
    const properties: Readonly<
      Record<string, { readonly key: { line: number; column: number } } | undefined>
    > = syntax?.properties ?? {};
    for (const [property, why] of Object.entries(PROPERTIES)) {
      const written = Object.hasOwn(properties, property) ? properties[property] : undefined;
      if (written)
        report.warn('H006', `\`${property}\` has no effect yet: ${why}`, { at: written.key, node: name });
    }
  }
  for (const { from, when, label } of edges) {
    const source = nodes.get(from)?.syntax;
    const why =
      source?.kind === 'router' ? UNASKED[source.properties.mode?.value ?? 'fan_out_all'] : undefined;
    if (when !== null && why !== undefined)
      report.warn('H006', `a condition has no effect on an edge of the router \`${from}\`: ${why}`, {
        at: when.at,
        edge: label,
      });
  }
};
