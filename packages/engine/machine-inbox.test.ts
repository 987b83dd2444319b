import type { MessageId, TurnId } from '@hearth/protocol/ids.ts';
import { owes } from '@hearth/protocol/pause.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeInterrupt, judgeUnsend } from './accept.ts';
import type { Outcome } from './entry.ts';
import { ready } from './machine.ts';
import { untoldLines } from './open-questions.ts';
import { steerable } from './steer.ts';
import { ada, ask, Bench } from './testing/bench.ts';
import { chatPlan } from './testing/sample-plan.ts';

/*
 * What becomes of each message, over random interleavings of a person, an agent and crashes: it takes only steps that lead
 * on from the one before, it ends once, and until then it is in exactly one place.
 */

/** The steps of a message, by the one before. `started`: its own turn began with it. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  said: ['queued', 'started', 'absorbed', 'consumed'],
  queued: ['delivered', 'consumed', 'cancelled', 'absorbed', 'queued'],
  delivered: ['consumed', 'queued', 'absorbed'],
  // One whose turn begins is consumed and started; one that a running turn has seen is consumed and absorbed.
  consumed: ['started', 'absorbed', 'queued'],
  absorbed: ['consumed', 'absorbed'],
  started: [],
  cancelled: [],
};

const moves = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), steer: fc.boolean() }) },
    { weight: 3, arbitrary: fc.constant({ do: 'take' as const }) },
    { weight: 2, arbitrary: fc.constant({ do: 'see' as const }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), how: fc.nat(5) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('decide' as const), pick: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('unsend' as const), pick: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.constant({ do: 'interrupt' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
    { weight: 3, arbitrary: fc.constant({ do: 'ask' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'await' as const }) },
  ),
  { minLength: 25, maxLength: 80 },
);
type Move = typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never;

const OUTCOMES: readonly Outcome[] = [
  { is: 'done', output: { reply: 'r', close: false, quick_replies: [] } },
  { is: 'done', output: { reply: 'bye', close: true, quick_replies: [] } },
  { is: 'parked', asks: [ask('q?'), ask('r?')], permits: [] },
  { is: 'parked', asks: [], permits: [] },
  { is: 'stopped' },
  { is: 'failed', code: 'auth', message: 'no', began: false },
];

function running(bench: Bench) {
  const stages = bench.state.machine.run?.tokens.map(token => token.stage) ?? [];
  return stages.find(stage => stage.is === 'running');
}

function play(bench: Bench, move: Move): void {
  const stage = running(bench);
  const effect = stage?.effect;
  switch (move.do) {
    case 'send':
      bench.send('words', { delivery: move.steer ? 'steer' : 'queue' });
      return;
    case 'take': {
      if (effect === undefined) return;
      const lines = untoldLines(bench.state.machine.run!, 'bot').map(line => line.id);
      const messages = steerable(bench.plan, bench.state, effect).map(message => message.id);
      bench.enter({ is: 'taken', effect, messages: [...lines, ...messages] });
      return;
    }
    case 'see':
      if (stage === undefined || effect === undefined) return;
      bench.enter({
        is: 'seen',
        effect,
        messages: [
          ...[...stage.joined, ...stage.taken].map(message => message.id),
          ...(bench.state.machine.run?.questions ?? []).map(question => question.line),
        ],
      });
      return;
    case 'end':
      if (effect !== undefined) bench.end(effect, OUTCOMES[move.how]!);
      else if (ready(bench.plan, bench.state).length > 0) bench.start();
      return;
    case 'decide': {
      const open = bench.open.filter(owes);
      const pause = open[move.pick % Math.max(1, open.length)];
      if (pause?.kind === 'question') bench.decide(pause.id, { do: 'answer', option: 'yes' });
      if (pause?.kind === 'recovery') {
        const choice = pause.choices[move.pick % pause.choices.length];
        if (choice !== undefined) bench.decide(pause.id, { do: 'answer', option: choice.id });
      }
      return;
    }
    case 'unsend': {
      const message = bench.state.inbox[move.pick % Math.max(1, bench.state.inbox.length)];
      const judged = judgeUnsend(bench.plan, bench.state, message?.id ?? 'm1', ada);
      if ('entry' in judged) bench.enter(judged.entry);
      return;
    }
    case 'interrupt': {
      const turn: TurnId = bench.state.machine.turn?.id ?? 't1';
      const judged = judgeInterrupt(bench.state, turn, ada);
      if ('entry' in judged) bench.enter(judged.entry);
      return;
    }
    case 'crash':
      if (effect !== undefined) bench.enter({ is: 'restarted', effects: [effect] });
      return;
    case 'ask':
      if (effect !== undefined) bench.enter({ is: 'asked', effect, ask: ask('later?') });
      return;
    case 'await':
      if (effect === undefined) return;
      bench.enter({
        is: 'awaits',
        effect,
        wait: { call: 'c', questions: (bench.state.machine.run?.questions ?? []).map(one => one.pause) },
      });
  }
}

/** The steps of each of the person's messages, as the log tells them. */
function told(bench: Bench): Map<MessageId, string[]> {
  const steps = new Map<MessageId, string[]>();
  for (const event of bench.events) {
    if (event.type === 'message' && event.by.kind === 'person') steps.set(event.message, ['said']);
    if (event.type === 'message.moved') steps.get(event.message)?.push(event.to);
    if (event.type === 'turn' && event.change === 'started') steps.get(event.message)?.push('started');
  }
  return steps;
}

/** Where messages are that have not ended: the queue, and with tokens. */
function places(bench: Bench): MessageId[] {
  const { run } = bench.state.machine;
  const held = (run?.tokens ?? []).flatMap(({ stage }) => {
    switch (stage.is) {
      case 'running':
        return [...stage.taken, ...stage.joined];
      case 'ready':
        return stage.joined;
      case 'held':
        return [...(stage.again?.joined ?? []), ...(stage.again?.unseen ?? [])];
      default:
        return [];
    }
  });
  return [...bench.state.inbox, ...held].map(message => message.id);
}

it('a message takes only steps that lead on, ends once, and is in one place until then', () => {
  fc.assert(
    fc.property(moves, played => {
      const bench = new Bench(chatPlan({ agent: { interaction: 'async' } }));
      for (const move of played) play(bench, move);
      const where = places(bench);
      expect(new Set(where).size).toBe(where.length);
      for (const [message, steps] of told(bench)) {
        for (const [index, step] of steps.entries()) {
          if (index === 0) continue;
          expect({ message, steps, leads: STEPS[steps[index - 1]!]?.includes(step) }).toEqual({
            message,
            steps,
            leads: true,
          });
        }
        const last = steps.at(-1);
        const over = last === 'started' || last === 'absorbed' || last === 'cancelled' || last === 'consumed';
        expect({ message, steps, lost: !over && !where.includes(message) }).toEqual({
          message,
          steps,
          lost: false,
        });
        expect(steps.filter(step => step === 'started' || step === 'cancelled').length).toBeLessThan(2);
      }
    }),
    { numRuns: 200 },
  );
});

it('an answer that nobody waited for is told, or still to be told, and never both', () => {
  fc.assert(
    fc.property(moves, played => {
      const bench = new Bench(chatPlan({ agent: { interaction: 'async' } }));
      for (const move of played) play(bench, move);
      const { run } = bench.state.machine;
      const questions = run?.questions ?? [];
      const open = new Set(bench.open.map(pause => pause.id));
      // Open in the state of the machine and on the screen are the same.
      for (const question of questions) expect(open.has(question.pause)).toBe(question.result === null);
      const untold = questions.filter(question => question.result !== null && question.told === null);
      if (run !== null) expect(untoldLines(run, 'bot')).toHaveLength(untold.length);
      // Nobody is left who could be telling it.
      const effect = running(bench)?.effect;
      for (const { told: by } of questions) if (by !== null) expect(by.effect).toBe(effect);
      expect(questions.length).toBeLessThanOrEqual(60);
      if (run?.status === 'ended') expect(questions).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
