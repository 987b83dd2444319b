import type { Model } from '../compile/model.ts';
import { asksModels } from './memory.ts';
import type { Report } from '../compile/report.ts';
import type { Rule } from './rule.ts';

/*
 * H006: what compiles and runs, but does nothing. Leaving it out changes nothing, so it is a warning; that it is silently
 * ignored is what must not happen. A router that chooses itself asks no condition by its nature.
 */

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
  unbounded(model, report);
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

/** Programs with a loop of their own decide how long an answer of their model may be. */
function unbounded({ nodes, workflow }: Model, report: Report): void {
  const fallback = workflow.properties.default_backend?.value ?? '';
  for (const { name, syntax } of nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const written = syntax.properties.max_tokens;
    const backend = syntax.properties.backend?.value || fallback;
    // One that is only known at run time might bound them.
    if (!written || written.value === 0 || backend === '' || backend.includes('$') || asksModels(backend))
      continue;
    report.warn(
      'H006',
      `\`max_tokens\` has no effect on the backend \`${backend}\`: answers are not bounded`,
      {
        at: written.key,
        node: name,
      },
    );
  }
}
