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
        fix: 'write the part of the context window at which to shorten, such as `0.8`',
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
    const place = { at: block.key, node };
    if ((block.value.scope?.value ?? '') === '') {
      report.error('C048', `the memory of \`${node}\` has no scope`, {
        ...place,
        fix: 'add `scope: "NAME"`, under which it is kept',
      });
    }
    const own = syntax.properties.backend?.value ?? '';
    const fallback = model.workflow.properties.default_backend?.value ?? '';
    if (own !== '' && !readsMemory(own)) {
      report.warn('C047', `the memory of \`${node}\` is not read by the backend \`${own}\``, {
        ...place,
        fix: 'write `backend: "model-api"`, which reads it',
      });
    } else if (own === '' && fallback !== '' && !readsMemory(fallback)) {
      const message = `the memory of \`${node}\` is not read by the workflow's backend \`${fallback}\``;
      report.warn('H009', message, {
        ...place,
        fix: 'add `backend: "model-api"` to the node, which reads it',
      });
    }
  }
};

/** Whether a backend's name is that of the one that reads memory. */
export function readsMemory(backend: string): boolean {
  return asksModels(backend);
}

/** Whether a backend's name is that of the one that asks a model's API itself. */
export function asksModels(backend: string): boolean {
  return IN_PROCESS.includes(backend);
}
