import type { Rule } from './rule.ts';

/** The backend that runs in this process, by all its names. */
const IN_PROCESS: readonly string[] = ['claw', 'model-api', 'model_api'];

/** C043: how a session is shortened is within bounds. */
export const compaction: Rule = (model, report) => {
  const blocks = [
    { block: model.workflow.properties.compaction, node: undefined },
    ...Array.from(model.nodes.values(), ({ name, syntax }) => ({
      block: syntax?.kind === 'agent' || syntax?.kind === 'judge' ? syntax.properties.compaction : undefined,
      node: name,
    })),
  ];
  for (const { block, node } of blocks) {
    const threshold = block?.value.threshold;
    // 0 means: as the workflow has it.
    if (threshold && threshold.value > 1) {
      report.error('C043', `a threshold of ${threshold.value} is not between 0 and 1`, {
        at: threshold.at,
        node,
      });
    }
  }
};

/** C047, C048: memory has a scope, and a backend that reads it. */
export const memory: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    const block = syntax.properties.memory;
    if (!block?.value.enabled?.value) continue;
    const backend = syntax.properties.backend?.value ?? model.workflow.properties.default_backend?.value;
    if (backend !== undefined && !IN_PROCESS.includes(backend)) {
      report.warn('C047', `the memory of \`${node}\` is not read by the backend \`${backend}\``, {
        at: block.key,
        node,
      });
    }
    if (!block.value.scope)
      report.error('C048', `the memory of \`${node}\` has no scope`, { at: block.key, node });
  }
};
