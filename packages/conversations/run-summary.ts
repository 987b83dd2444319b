/** A run in figures, from its steps and, for the one under way, from how things stand: pure. */
import { add } from '@hearth/engine/budget.ts';
import { CANCELLED } from '@hearth/engine/machine/operated.ts';
import type { RunId } from '@hearth/protocol/ids.ts';
import type { NodeFigures, RunStatus, RunStep, RunSummary } from '@hearth/protocol/run.ts';
import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';

/** The figures of a run. What was cut from its trace is missing in them, and `dropped` says so. */
export function summaryOf(
  run: RunId,
  trace: { readonly dropped: number; readonly steps: readonly RunStep[] },
  view: ConversationView,
): RunSummary {
  const { steps, dropped } = trace;
  const marks = steps.filter(step => step.is === 'run');
  const ended = marks.findLast(step => step.change === 'ended');
  const active = view.run?.id === run;
  const code = active ? undefined : ended?.code;
  return {
    run,
    status: active ? standing(view) : outcome(ended),
    ...(code === undefined ? {} : { code }),
    plan:
      (active ? view.run?.plan : undefined) ?? marks.findLast(step => step.plan !== undefined)?.plan ?? null,
    startedAt: marks.find(step => step.change === 'started')?.at ?? null,
    endedAt: ended?.at ?? null,
    dropped,
    turns: new Set(
      steps.flatMap(step => (step.is === 'turn' && step.change === 'started' ? [step.turn] : [])),
    ).size,
    pauses: steps.filter(step => step.is === 'pause' && step.kind !== 'chat').length,
    spend: steps.reduce(
      (sum, step) => (step.is === 'effect' && step.spend ? add(sum, step.spend) : sum),
      NO_SPEND,
    ),
    nodes: nodesOf(steps),
    tools: toolsOf(steps),
  };
}

function standing({ pauses, state }: ConversationView): RunStatus {
  return pauses.some(pause => pause.kind === 'recovery' && pause.cause === 'paused') ? 'paused' : state;
}

/** A run that is not under way and of whose end nothing is known was cut off by a reset. */
function outcome(ended: Extract<RunStep, { is: 'run' }> | undefined): RunStatus {
  const { reason, code } = ended ?? {};
  if (reason === 'closed') return code === CANCELLED ? 'cancelled' : 'closed';
  return reason === 'done' || reason === 'failed' ? reason : 'reset';
}

function nodesOf(steps: readonly RunStep[]): NodeFigures[] {
  const nodes = new Map<string, { runs: number; failed: number; spend: Spend }>();
  const of = (node: string): { runs: number; failed: number; spend: Spend } => {
    const known = nodes.get(node) ?? { runs: 0, failed: 0, spend: NO_SPEND };
    nodes.set(node, known);
    return known;
  };
  for (const step of steps) {
    if (step.is === 'node' && step.change === 'started') of(step.node).runs += 1;
    if (step.is !== 'effect' || step.node === null) continue;
    const figures = of(step.node);
    if (step.change === 'failed' || step.change === 'cut') figures.failed += 1;
    if (step.spend) figures.spend = add(figures.spend, step.spend);
  }
  return [...nodes].map(([node, figures]) => ({ node, ...figures }));
}

function toolsOf(steps: readonly RunStep[]): { name: string; calls: number }[] {
  const calls = new Map<string, number>();
  for (const step of steps) {
    if (step.is === 'tool' && step.change === 'started')
      calls.set(step.name, (calls.get(step.name) ?? 0) + 1);
  }
  return [...calls].map(([name, count]) => ({ name, calls: count }));
}
