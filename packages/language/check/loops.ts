import type { Rule } from './rule.ts';

/** C005: edges that share a loop agree on its cap. */
export const loopCapsAgree: Rule = ({ edges }, report) => {
  const caps = new Map<string, number | string>();
  for (const { loop, label } of edges) {
    if (loop === null) continue;
    const cap = caps.get(loop.name);
    if (cap === undefined) caps.set(loop.name, loop.cap);
    else if (cap !== loop.cap) {
      const message = `the loop \`${loop.name}\` is capped at ${loop.cap} here and at ${cap} before`;
      report.error('C005', message, { at: loop.capAt, edge: label });
    }
  }
};

/** C026: a loop can be taken at least once. */
export const loopCapsPositive: Rule = ({ edges }, report) => {
  for (const { loop, label } of edges) {
    if (typeof loop?.cap !== 'number' || loop.cap >= 1) continue;
    report.error('C026', `the loop \`${loop.name}\` is capped at ${loop.cap} and could never be taken`, {
      at: loop.capAt,
      edge: label,
    });
  }
};
