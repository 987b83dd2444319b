import type { Docket } from '@hearth/decisions/docket.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { ArtifactRef } from '@hearth/protocol/artifact.ts';
import { actionAt, isRevision, sameRef } from './document.ts';
import type { Plan } from './runnable.ts';
import type { State } from './state.ts';

/** What the judge may see of a state, and of the plan what its actions mean. `altered`: a version whose stored text is another. */
export function docketOf(plan: Plan, state: State, altered: ArtifactRef | null = null): Docket {
  const meant = (pause: Pause, name: string) =>
    pause.kind === 'card' || pause.kind === 'input' ? actionAt(plan, pause.node, name) : null;
  return {
    open: state.machine.pauses,
    closed: state.machine.closed,
    lastPause: state.counters.pause,
    stops: (pause, name) => meant(pause, name)?.stops === true,
    revises: (pause, name) => {
      const action = meant(pause, name);
      return action !== null && isRevision(plan, pause.node, action);
    },
    altered: pause => pause.kind === 'card' && altered !== null && sameRef(pause.shown, altered),
    reads: pause => {
      const node = Object.hasOwn(plan.nodes, pause.node) ? plan.nodes[pause.node] : undefined;
      return node?.kind === 'review' && node.reader !== null;
    },
  };
}
