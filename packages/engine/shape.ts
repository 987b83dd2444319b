import { Shape } from '@hearth/language/plan/meeting.ts';
import type { Plan } from './runnable.ts';

const known = new WeakMap<Plan, Shape>();

/** The shape of a plan's graph. It is asked at every edge, so it is remembered with the plan. */
export function shapeOf(plan: Plan): Shape {
  const shape =
    known.get(plan) ??
    new Shape(plan.edges, {
      awaits: name => (plan.nodes[name]?.await ?? null) !== null,
      forks: name => {
        const node = plan.nodes[name];
        return (
          node?.kind === 'router' && (node.mode === 'fan_out_all' || (node.mode === 'llm' && node.multi))
        );
      },
    });
  known.set(plan, shape);
  return shape;
}
