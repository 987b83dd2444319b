import type { Rule } from './rule.ts';

/** C030: profile 1, and only it, discourages one backend, because it can keep a node to its tools less strictly. */
export const discouragedBackends: Rule = (model, report) => {
  if (model.file.profile !== 1) return;
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge' && syntax?.kind !== 'router') continue;
    if (syntax.kind === 'router' && syntax.properties.mode?.value !== 'llm') continue;
    const { backend } = syntax.properties;
    if (backend?.value !== 'codex') continue;
    report.warn('C030', `the backend \`codex\` of \`${node}\` is discouraged`, { at: backend.at, node });
  }
};
