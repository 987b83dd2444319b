import type { Plan } from '../runnable.ts';
import type { RunState, State } from '../state.ts';

/** A state without the names that were given out, and without what only counts how often something was tried. */
export function canonical(plan: Plan, { machine, inbox }: State): string {
  const names = new Map<string, string>();
  const nameOf = (value: string, kind: string): string => {
    const known = names.get(value) ?? `${kind}:${names.size}`;
    names.set(value, known);
    return known;
  };
  const { run, turn, pauses } = machine;
  const plain = {
    turn: turn && { status: turn.status },
    inbox: inbox.length,
    pauses: pauses.map(({ id, kind, node, branch, ...pause }) => [
      id,
      kind,
      node,
      branch,
      'cause' in pause ? pause.cause : '',
      'unseen' in pause ? pause.unseen.length : 0,
      'choices' in pause ? pause.choices.map(choice => choice.id) : [],
      'shown' in pause
        ? [pause.status, pause.shown, pause.actions.map(({ enabled }) => enabled), pause.keptFeedback]
        : [],
    ]),
    run:
      run?.status === 'active'
        ? { ...run, id: '', vars: {}, loops: roundsLeft(plan, run), tokens: run.tokens, before: 0, rounds: 0 }
        : null,
  };
  return JSON.stringify(plain, function named(this: unknown, key: string, value: unknown) {
    if (DROPPED.has(key)) return undefined;
    // Versions count up for ever; which of them are the same is all that matters.
    if (key === 'version' && typeof this === 'object' && this !== null && 'artifact' in this)
      return nameOf(`${String(this.artifact)}@${String(value)}`, 'v');
    if (key === 'notes' && Array.isArray(value)) return value.length > 0;
    // Words may join as often as a person likes; whether there are any is all that matters.
    if (key === 'joined' && Array.isArray(value)) return value.length > 0;
    if (typeof value !== 'string' || value.length > 6 || !/^[eprtm]\d+$/.test(value)) return value;
    return nameOf(value, value.slice(0, 1));
  });
}

const DROPPED: ReadonlySet<string> = new Set([
  'attempt',
  'iteration',
  'startedAt',
  'at',
  'commandId',
  'previous',
  'staged',
  'earlier',
]);

function roundsLeft(plan: Plan, run: RunState): Record<string, number> {
  return Object.fromEntries(
    Object.entries(run.loops).map(([name, { count, added }]) => {
      const cap = plan.loops[name]?.cap;
      return [name, (typeof cap === 'number' ? cap : 0) + added - count];
    }),
  );
}
