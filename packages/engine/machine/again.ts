import type { Again, Stage } from '../state.ts';

/** What is left of an effect that has not begun: all of it. */
export function againOfReady(stage: Extract<Stage, { is: 'ready' }>): Again {
  const { attempt, resume, joined, asking } = stage;
  return { attempt, resume, joined, unseen: [], ...(asking === undefined ? {} : { asking }) };
}
