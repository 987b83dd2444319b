/**
 * The simulated backend. What it does in a turn is a function of the seed and the effect, so that a replay does the same:
 * it narrates, calls tools of its own, drafts, takes up steered messages, asks, fails, answers, or falls silent.
 */
import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendEvent,
  type BackendRun,
  type BackendTurn,
  type InboxMessage,
} from '@hearth/engine/backend.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { pick, type Random, seededRandom } from '@hearth/store/seeded-random.ts';

/** Told of every turn that is sent to the backend. */
export type OnStart = (turn: BackendTurn) => void;

/** Once it is set every turn is answered at once, so that the end of a simulation can be seen. */
export interface Mood {
  calm: boolean;
}

export function performer(seed: number, clock: Clock, mood: Mood, onStart: OnStart): Backend {
  return {
    name: 'performer',
    capabilities: ALL_CAPABILITIES,
    detect: () => Promise.resolve({ usable: true, why: 'simulated' }),
    fingerprint: () => Promise.resolve('f'),
    start(turn): BackendRun {
      onStart(turn);
      const inbox: InboxMessage[] = [];
      const stop = Promise.withResolvers<BackendEvent>();
      const random = seededRandom(seed * 7919 + Number(turn.effect.slice(1)) * 31 + turn.attempt);
      const steps = mood.calm ? answered(turn) : performed(turn, random, clock, inbox);
      async function* events(): AsyncGenerator<BackendEvent> {
        for (;;) {
          const next = await Promise.race([
            steps.next(),
            stop.promise.then(value => ({ value, done: false })),
          ]);
          if (next.done === true) return;
          yield next.value;
          if (['done', 'parked', 'stopped', 'failed'].includes(next.value.type)) return;
        }
      }
      return {
        [Symbol.asyncIterator]: () => events(),
        offer: message => void inbox.push(message),
        interrupt: () => Promise.resolve(stop.resolve({ type: 'stopped' })),
      };
    },
  };
}

const session: BackendEvent = { type: 'session', id: 's', fingerprint: 'f', how: 'opened' };

function done(turn: BackendTurn): BackendEvent {
  const reply = `heard ${turn.prompt.user}`;
  return { type: 'done', output: { reply, close: false, quick_replies: ['more'] }, text: reply };
}

async function* answered(turn: BackendTurn): AsyncGenerator<BackendEvent> {
  yield session;
  yield done(turn);
}

async function* performed(
  turn: BackendTurn,
  random: Random,
  clock: Clock,
  inbox: InboxMessage[],
): AsyncGenerator<BackendEvent> {
  yield session;
  const steps = pick(random, 4);
  for (let step = 0; step < steps; step += 1) yield* oneStep(turn, step, random, clock, inbox);
  if (random() < 0.08) {
    yield { type: 'failed', code: 'overloaded', message: 'It was too much.', began: random() < 0.5 };
  } else if (turn.mayAsk && turn.answers.length === 0 && random() < 0.35) {
    const options = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ];
    const asks = Array.from({ length: 1 + pick(random, 2) }, (_, index) => ({
      text: `Which, ${index}?`,
      options,
      allowFreeText: true,
    }));
    yield { type: 'parked', asks, permits: [] };
  } else {
    yield { type: 'usage', spend: { ...NO_SPEND, tokens: 1 }, cumulative: true };
    yield done(turn);
  }
}

async function* oneStep(
  turn: BackendTurn,
  step: number,
  random: Random,
  clock: Clock,
  inbox: InboxMessage[],
): AsyncGenerator<BackendEvent> {
  const call = `${turn.effect}.${step}`;
  switch (pick(random, 6)) {
    case 0: {
      // Now and then so much that the log is trimmed within the turn.
      const lines = random() < 0.04 ? 520 : 1;
      for (let line = 0; line < lines; line += 1) yield { type: 'narration', text: `so ${call} ${line}` };
      return;
    }
    case 1:
      yield { type: 'tool', call, name: 'dig', change: 'started', mutates: true };
      yield {
        type: 'tool',
        call,
        name: 'dig',
        change: random() < 0.5 ? 'completed' : 'failed',
        mutates: true,
      };
      return;
    case 2:
      for (const text of ['he', 'hear', 'heard']) yield { type: 'draft', text };
      return;
    case 3: {
      const messages = inbox.splice(0).map(({ id }) => id);
      if (messages.length === 0) return;
      yield { type: 'taken', messages };
      if (random() < 0.7) yield { type: 'seen', messages };
      return;
    }
    default:
      await new Promise<void>(resolve => clock.after(1 + pick(random, 3000), resolve));
  }
}
