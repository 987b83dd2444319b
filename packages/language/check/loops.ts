import { grouped } from '../compile/grouping.ts';
import { isCap } from '../compile/loops.ts';
import type { GraphEdge, Model } from '../compile/model.ts';
import { parseTemplate } from '../refs/template-parser.ts';
import type { Rule } from './rule.ts';

/** The edges of each loop, in order; the first one says its cap. */
function loopEdges({ edges }: Model): readonly (readonly Looping[])[] {
  const looping = edges.flatMap(edge => (edge.loop ? [{ ...edge, loop: edge.loop }] : []));
  return [...grouped(looping, edge => edge.loop.name).values()];
}

type Looping = GraphEdge & { readonly loop: NonNullable<GraphEdge['loop']> };

/** C004, H007: a cap in quotes is well-formed, and is a number or one reference. */
export const loopCaps: Rule = (model, report) => {
  for (const [first] of loopEdges(model)) {
    if (typeof first?.loop.cap !== 'string' || first.loop.cap === '') continue;
    const { name, cap, capAt: at } = first.loop;
    const { problem } = parseTemplate(cap);
    if (problem) {
      report.error('C004', `the cap of loop \`${name}\` has ${problem.message}`, { at, edge: first.label });
    } else if (!isCap(cap)) {
      report.warn(
        'H007',
        `the cap of loop \`${name}\` is neither a number nor one reference, so it counts as 0`,
        {
          at,
          edge: first.label,
          fix: 'write a number, or one reference like `"{{vars.rounds}}"`',
        },
      );
    }
  }
};

/** C005: edges that share a loop agree on its cap. */
export const loopCapsAgree: Rule = (model, report) => {
  for (const [first, ...others] of loopEdges(model)) {
    for (const { loop, label } of others) {
      if (first === undefined || loop.cap === first.loop.cap) continue;
      const message = `the loop \`${loop.name}\` is capped at ${loop.cap} here and at ${first.loop.cap} before`;
      report.error('C005', message, {
        at: loop.capAt,
        edge: label,
        fix: `write \`as ${loop.name}(${first.loop.cap})\`, or name another loop`,
      });
    }
  }
};

/** C026: a loop can be taken at least once. */
export const loopCapsPositive: Rule = (model, report) => {
  for (const [first] of loopEdges(model)) {
    if (first === undefined || !(first.loop.cap === '' || first.loop.cap === 0) || first.loop.unbounded)
      continue;
    const { name, capAt: at } = first.loop;
    report.error('C026', `the loop \`${name}\` is capped at 0 and could never be taken`, {
      at,
      edge: first.label,
      fix: `write a cap of at least 1: \`as ${name}(1)\``,
    });
  }
};
