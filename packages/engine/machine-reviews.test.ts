import type { ArtifactRef } from '@hearth/protocol/artifact.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeInterrupt } from './accept.ts';
import { unmet } from './document.ts';
import type { Outcome } from './entry.ts';
import { ready } from './machine.ts';
import { ada } from './testing/bench.ts';
import { drafted, reading, result, ReviewBench } from './testing/review-plan.ts';

/*
 * Over random interleavings of two people, models, failures and crashes: nothing that was not confirmed is done, no version is
 * confirmed that was not on the screen of whoever confirmed it, and there is a way home from everywhere.
 */

/** Actions, each with the words that belong to it; what is confirmed and revised most comes most. */
const ACTIONS = [
  ...Array.from({ length: 4 }, () => [{ action: 'confirm' }, { action: 'standard' }]).flat(),
  ...Array.from({ length: 3 }, () => ({ action: 'revise', feedback: 'for two' })),
  { action: 'change', feedback: 'for two' },
  { action: 'pseudo' },
  { action: 'stop' },
  { action: 'new_task', feedback: 'for two' },
  { action: 'note', feedback: 'for two' },
  { action: 'question', feedback: 'for two' },
  { action: 'confirm', feedback: 'for two' },
  { action: 'standard', feedback: 'for two' },
  { action: 'revise', feedback: ' ' },
] as const;

const surface = fc.nat(1);
const moves = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), surface }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('act' as const),
        surface,
        taken: fc.constantFrom<{ readonly action: string; readonly feedback?: string }>(...ACTIONS),
        twice: fc.boolean(),
        looks: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('say' as const), surface }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('choose' as const), pick: fc.nat(3) }) },
    { weight: 9, arbitrary: fc.record({ do: fc.constant('work' as const), how: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.constant({ do: 'start' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('end' as const), how: fc.nat(7), which: fc.nat(2) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'send' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'interrupt' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
  ),
  { minLength: 10, maxLength: 90 },
);
type Move = ReturnType<(typeof moves)['generate']>['value'][number];

/** A conversation, two people who look at it now and then, and what was confirmed by whom. */
class Table {
  readonly bench = new ReviewBench();
  /** What each surface drew last. */
  readonly screens: (readonly Pause[])[] = [[], []];
  /** Every effect that was ever started, and its node. */
  readonly effects: { id: `e${number}`; node: string }[] = [];
  /** Versions of which words were said, by those who saw them. */
  readonly spokenOf: ArtifactRef[] = [];

  do(move: Move): void {
    const { bench } = this;
    switch (move.do) {
      case 'look':
        this.screens[move.surface] = [...bench.open];
        return;
      case 'act':
        this.#act(move);
        return;
      case 'say':
        this.#decide(move.surface, { do: 'say', text: 'words' });
        return;
      case 'choose':
        this.#choose(move.pick);
        return;
      case 'work':
        this.start();
        if (this.running.length > 0) this.#end(move.how, 0);
        return;
      case 'start':
        this.start();
        return;
      case 'end':
        this.#end(move.how, move.which);
        return;
      case 'send':
        bench.send('please');
        return;
      case 'interrupt': {
        const judged = judgeInterrupt(bench.state, bench.state.machine.turn?.id ?? 't0', ada);
        if ('entry' in judged) bench.enter(judged.entry);
        return;
      }
      case 'crash': {
        const effects = this.running;
        if (effects.length > 0) bench.enter({ is: 'restarted', effects });
      }
    }
  }

  get running(): `e${number}`[] {
    return (this.bench.state.machine.run?.tokens ?? []).flatMap(({ stage }) =>
      stage.is === 'running' ? [stage.effect] : [],
    );
  }

  /** Starts what is ready, and looks at what may be acted on. */
  start(): void {
    const { bench } = this;
    const [next] = ready(bench.plan, bench.state);
    if (next === undefined) return;
    const { run } = bench.state.machine;
    if (next.node === 'execute' && run !== null)
      expect(['task', 'plan'].flatMap(name => unmet(bench.plan, run, name) ?? [])).toEqual([]);
    this.effects.push({ id: next.id, node: next.node });
    bench.start();
  }

  #act(move: Extract<Move, { do: 'act' }>): void {
    if (move.looks) this.screens[move.surface] = [...this.bench.open];
    const card = this.screens[move.surface]?.find(one => one.kind === 'card');
    const { action } = move.taken;
    const instead = card?.node === 'check_plan' && action === 'confirm' ? 'standard' : action;
    const act: Act = { do: 'act', ...move.taken, action: instead };
    this.#decide(move.surface, act);
    if (move.twice) this.#decide(move.surface, act);
  }

  /** Decides on what that surface shows, which may be long gone. */
  #decide(at: number, act: Act): void {
    const { bench } = this;
    const pause = this.screens[at]?.find(one => one.kind === 'card') ?? this.screens[at]?.[0];
    if (pause === undefined) return;
    const before = bench.history.length;
    const shown = pause.kind === 'card' ? pause.shown : null;
    const judged = bench.decide(pause.id, act, shown ?? {});
    const confirmed = bench
      .told('artifact')
      .slice(before)
      .filter(({ change }) => change === 'confirmed');
    for (const { ref } of confirmed) expect(ref).toEqual(shown);
    if ('refused' in judged) expect(bench.history).toHaveLength(before);
    else if (act.do === 'say' && shown !== null) this.spokenOf.push(shown);
    if (act.do === 'act' && (act.feedback ?? '') !== '') expect(confirmed).toEqual([]);
  }

  #choose(pick: number): void {
    const { bench } = this;
    const pause = bench.open.find(one => one.kind === 'recovery' || one.kind === 'input');
    if (pause?.kind === 'input') bench.decide(pause.id, { do: 'answer', fields: { data: '42' } });
    if (pause?.kind !== 'recovery') return;
    const option = pause.choices[pick % pause.choices.length]?.id ?? 'stop';
    const fields = pause.node === 'execute' ? result('It happened.') : drafted('DO what happened');
    bench.decide(pause.id, { do: 'answer', option, ...(option === 'it_happened' ? { fields } : {}) });
  }

  /** An effect ends, one that was called back among them. */
  #end(how: number, which: number): void {
    const { bench } = this;
    const effect = this.effects.at(-1 - which);
    if (effect === undefined) return;
    const before = bench.told('artifact').length;
    bench.end(effect.id, outcomeOf(effect.node, how));
    const confirmed = bench
      .told('artifact')
      .slice(before)
      .filter(({ change }) => change === 'confirmed');
    for (const { ref } of confirmed) expect(this.spokenOf).toContainEqual(ref);
  }
}

function outcomeOf(node: string, how: number): Outcome {
  if (how === 6) return { is: 'failed', code: 'auth', message: 'no key', began: true };
  if (how === 7) return { is: 'stopped' };
  const done = (output: Parameters<typeof reading>[0] = {}): Outcome => ({ is: 'done', output });
  switch (node) {
    case 'execute':
      return done(how % 2 === 0 ? result('Done.') : result('How many?', 'request_input'));
    case 'read_words': {
      const read = [
        { agrees: true },
        { task: 'x', agrees: true },
        { plan: 'y' },
        { kind: 'new_task' },
        { kind: 'question' },
        {},
      ];
      return done(reading(read[how]));
    }
    case 'answer':
      return done({ text: 'So.' });
    default:
      return done(how === 5 ? drafted('', true) : drafted(how === 4 ? '' : `DO ${node} ${how}`));
  }
}

/** `HEARTH_SEED` looks at others. */
const SEED = Number(process.env['HEARTH_SEED'] ?? 1);

it('nothing unconfirmed is done, nothing unseen is confirmed, and home can be come to from everywhere', () => {
  let done = 0;
  fc.assert(
    fc.property(moves, script => {
      const table = new Table();
      const { bench } = table;
      bench.send('please');
      for (const move of script) table.do(move);
      comeHome(table);
      expect(bench.open.map(({ kind }) => kind)).toEqual(['chat']);
      done += table.effects.filter(({ node }) => node === 'execute').length;
      const versions = bench.told('artifact').filter(({ change }) => change === 'published');
      const names = versions.map(({ ref }) => `${ref.artifact}@${ref.version}`);
      expect(new Set(names).size).toBe(names.length);
    }),
    // Always the same interleavings: how often something is done in them is then no matter of chance.
    { numRuns: 120, seed: SEED },
  );
  // Whatever is shown here is shown of what was done, too.
  expect(done).toBeGreaterThan(3);
});

/** What a person can always do: let what runs end, and stop what waits. */
function comeHome({ bench, ...table }: Table): void {
  for (let step = 0; step < 60; step += 1) {
    const [pause] = bench.open.filter(one => one.kind !== 'chat');
    const effects = (bench.state.machine.run?.tokens ?? []).flatMap(({ stage }) =>
      stage.is === 'running' ? [stage.effect] : [],
    );
    if (pause?.kind === 'recovery') bench.decide(pause.id, { do: 'answer', option: 'stop' });
    else if (pause !== undefined) bench.decide(pause.id, { do: 'act', action: 'stop' });
    else if (effects[0] !== undefined) {
      const failure: Outcome = { is: 'failed', code: 'auth', message: 'no key', began: true };
      bench.end(effects[0], failure);
    } else if (ready(bench.plan, bench.state).length > 0) bench.start();
    else return;
  }
  throw new Error(`no way home: ${JSON.stringify(Object.keys(table))}`);
}
