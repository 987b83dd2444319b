import { Replay } from '@hearth/backends/replay/backend.ts';
import type { BackendStep, RecordedOutcome } from '@hearth/backends/replay/recording.ts';
import { Score } from '@hearth/backends/replay/score.ts';
import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import type { Play, Scene, Stage } from '@hearth/backends/testing/conformance/subject.ts';
import type { Backend, BackendRun, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';

/*
 * A replay keeps the promises of the port. It gives what is released to it, so this has a player of its own: it releases
 * what the kit arranged, and what a recording of an interrupt would hold once there is one.
 */

type Step = BackendStep extends infer One ? (One extends BackendStep ? Omit<One, 'effect'> : never) : never;

const CODES: Readonly<Record<string, string>> = {
  'refuses the key': 'auth',
  'has no quota left': 'quota',
  'is overloaded': 'overloaded',
  'cuts the stream': 'network',
  'speaks another protocol': 'protocol',
  'finds the conversation too long': 'context_length',
  'does not know the model': 'missing',
  'says nothing': 'quiet',
};

/** Scenes that a recording never holds. */
const NEVER: ReadonlySet<Scene> = new Set([
  'writes while it is spoken to',
  'misfits',
  'misfits for good',
  'calls what it was not granted',
]);

const outcome = (of: RecordedOutcome): Step => ({ is: 'outcome', outcome: of, spend: NO_SPEND });

function failure(code: string, began: boolean): Step {
  const message = 'The provider behind the recording failed in its own way.';
  return outcome({ is: 'failed', code, message, began });
}

/** What a recording of such plays holds behind the session. */
function stepsOf(plays: readonly Play[], spokenTo: boolean): readonly Step[] {
  const steps = plays.flatMap((play): readonly Step[] => {
    if (play.is === 'answers') {
      const output = { reply: play.reply, close: false, quick_replies: [], dispatched_ids: [] };
      return [outcome({ is: 'done', output })];
    }
    if (play.is === 'fails') return [failure(CODES[play.how] ?? 'crashed', plays.length > 1)];
    if (play.is !== 'calls') return [];
    const asks = play.calls.filter(call => call.name === 'ask_user');
    if (asks.length > 0) return [parked(asks)];
    const narration: readonly Step[] = play.text === undefined ? [] : [{ is: 'narration', text: play.text }];
    const called = play.calls.map(({ name }): Step => ({ is: 'called', name, title: name, came: 'well' }));
    return [...narration, ...called];
  });
  if (!spokenTo) return steps;
  const joined: readonly Step[] = [
    { is: 'taken', messages: [1, 2] },
    { is: 'seen', messages: [1, 2] },
  ];
  return [...steps.slice(0, -1), ...joined, ...steps.slice(-1)];
}

function parked(calls: Extract<Play, { is: 'calls' }>['calls']): Step {
  const asks = calls.map(({ args }, at) => {
    const options = args['options'] as { id: string; label: string }[];
    return {
      call: `call-${at}`,
      text: typeof args['question'] === 'string' ? args['question'] : '',
      options,
      allowFreeText: options.length === 0,
    };
  });
  return outcome({ is: 'parked', asks });
}

/** A replay with its player. */
class Played implements Backend {
  readonly name = 'replay';
  readonly capabilities;
  steps: readonly Step[] = [];
  lost = false;
  readonly #score = new Score();
  readonly #replay = new Replay(this.#score, () => ['m1', 'm2']);
  #effects = 0;

  constructor() {
    this.capabilities = this.#replay.capabilities;
  }

  detect() {
    return this.#replay.detect();
  }

  fingerprint() {
    return this.#replay.fingerprint();
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    const run = this.#replay.start(turn, host, signal);
    const offered = Promise.withResolvers<'offered'>();
    const stop = Promise.withResolvers<'stop'>();
    const messages: InboxMessage[] = [];
    void this.#play(turn, offered.promise, stop.promise);
    return {
      offer: message => {
        messages.push(message);
        run.offer(message);
        if (messages.length === 2) offered.resolve('offered');
      },
      interrupt: async () => {
        stop.resolve('stop');
        await run.interrupt();
      },
      [Symbol.asyncIterator]: () => run[Symbol.asyncIterator](),
    };
  }

  async #play(
    { node, session }: BackendTurn,
    offered: Promise<string>,
    stop: Promise<string>,
  ): Promise<void> {
    const part = await this.#score.started(node);
    const effect = (this.#effects += 1);
    const lost = this.lost && session.mode !== 'fresh';
    this.lost = false;
    const release = (step: Step): Promise<void> => part.release({ ...step, effect } as BackendStep);
    if (lost && session.strict) return await release(failure('session_lost', false));
    await release(
      lost
        ? { is: 'session', how: 'reseeded', degraded: 'The earlier session is gone.' }
        : { is: 'session', how: 'resumed' },
    );
    for (const step of this.steps) {
      const waits = step.is === 'taken' ? offered : Promise.resolve('go');
      const how = await Promise.race([stop, waits]);
      if (how === 'stop') return await release(outcome({ is: 'stopped' }));
      await release(step);
    }
  }
}

function open(): Promise<Stage> {
  let backend = new Played();
  return Promise.resolve({
    get backend() {
      return backend;
    },
    directory: '/epochs/1/backend/nexie',
    workspace: '/project',
    clock: new SimClock(),
    arrange(scene, plays) {
      if (NEVER.has(scene)) return null;
      backend.steps = stepsOf(plays, scene === 'works while it is spoken to');
      return 'The words of the recording.';
    },
    tool: ({ name }) => ({ content: { did: name } }),
    heard: () => null,
    problems: () => [],
    restart: () => {
      backend = new Played();
      return Promise.resolve();
    },
    loseSessions: () => {
      backend.lost = true;
      return Promise.resolve();
    },
    kill: null,
    processes: () => 0,
    close: () => Promise.resolve(),
  });
}

conforms({ name: 'replay', open, deaths: 5 });
