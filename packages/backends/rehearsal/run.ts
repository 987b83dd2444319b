import type { BackendEvent, BackendRun, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { FINGERPRINT, type RehearsalPorts } from './ports.ts';
import { converse } from './conversation.ts';
import { type Written, written } from './documents.ts';
import { type Memory, remember } from './memory.ts';
import { fieldsOf, idle, otherOutput } from './other.ts';
import type { Said } from './outcome.ts';
import { Scene, Stopped, Waits } from './scene.ts';
import { begun } from './session.ts';

/** How many drafts a reply grows in. */
const DRAFTS = 4;
const CHIPS = 4;

/**
 * One rehearsed turn. The session's file is replaced when the turn ends or parks and not before, so an attempt that
 * breaks off leaves the session as it was. Messages offered meanwhile are not taken: the engine keeps them for the next
 * turn, which comes at once.
 */
export class RehearsalRun implements BackendRun {
  readonly #turn: BackendTurn;
  readonly #host: Host;
  readonly #signal: AbortSignal;
  readonly #ports: RehearsalPorts;
  #interrupted = false;

  constructor(turn: BackendTurn, host: Host, signal: AbortSignal, ports: RehearsalPorts) {
    this.#turn = turn;
    this.#host = host;
    this.#signal = signal;
    this.#ports = ports;
  }

  offer(_message: InboxMessage): void {}

  interrupt(): Promise<void> {
    this.#interrupted = true;
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    let scene: Scene | null = null;
    try {
      const session = await begun(this.#turn, this.#ports, FINGERPRINT);
      if ('lost' in session) {
        yield { type: 'failed', code: 'session_lost', message: session.lost, began: false };
        return;
      }
      yield session.event;
      scene = new Scene(
        this.#turn,
        session.memory,
        this.#host,
        () => this.#interrupted || this.#signal.aborted,
      );
      for await (const event of this.#played(scene)) {
        scene.check();
        yield event;
      }
    } catch (error) {
      if (error instanceof Waits) yield { type: 'parked', asks: [], permits: [] };
      else if (error instanceof Stopped || this.#interrupted || this.#signal.aborted)
        yield { type: 'stopped' };
      else {
        const why = error instanceof Error ? error.message : String(error);
        yield {
          type: 'failed',
          code: 'crashed',
          message: `The rehearsal broke off: ${why}`,
          began: scene?.began ?? false,
        };
      }
    }
  }

  async *#played(scene: Scene): AsyncGenerator<BackendEvent> {
    const { memory } = scene;
    const assistant =
      scene.granted('list_issues') && (fieldsOf(this.#turn.output)?.includes('reply') ?? true);
    if (assistant) return yield* this.#assisted(scene);
    const other: Written = otherOutput(this.#turn, memory.language);
    const { output, text, language, narration } = written(this.#turn, other.output, memory.language) ?? other;
    if (narration !== undefined) yield { type: 'narration', text: narration };
    memory.language = language;
    memory.introduced = true;
    yield* drafts(text);
    yield* this.#ended(memory, { type: 'done', output, text });
  }

  async *#assisted(scene: Scene): AsyncGenerator<BackendEvent> {
    const { memory } = scene;
    const outcome = yield* converse(scene);
    if (outcome.is === 'asked') {
      yield* this.#ended(memory, { type: 'parked', asks: [outcome.ask], permits: [] });
      return;
    }
    const say = memory.introduced ? outcome.say : `${scene.words.intro}\n${outcome.say}`;
    memory.introduced = true;
    yield* drafts(say);
    yield* this.#ended(memory, {
      type: 'done',
      output: envelope(this.#turn, scene, outcome, say),
      text: say,
    });
  }

  async *#ended(memory: Memory, last: BackendEvent): AsyncGenerator<BackendEvent> {
    yield { type: 'usage', spend: NO_SPEND, cumulative: true };
    await remember(this.#ports.disk, this.#turn.directory, memory);
    yield last;
  }
}

/** The turn envelope, with whatever else the schema asks for left idle. */
function envelope(turn: BackendTurn, scene: Scene, outcome: Said, reply: string): JsonObject {
  const own: JsonObject = {
    reply,
    close: outcome.close ?? false,
    quick_replies: [...(outcome.chips ?? [])].slice(0, CHIPS),
    dispatched_ids: [...(outcome.dispatched ?? [])],
  };
  const fields = fieldsOf(turn.output);
  if (fields === null) return own;
  const filled = idle(turn.output, scene.language);
  const known = Object.entries(own).filter(([name]) => fields.includes(name));
  return {
    ...(filled !== null && typeof filled === 'object' && !Array.isArray(filled) ? filled : {}),
    ...Object.fromEntries(known),
  };
}

/** The text growing in a few steps, cut between words. */
function* drafts(text: string): Generator<BackendEvent> {
  let shown = 0;
  for (let step = 1; step <= DRAFTS; step += 1) {
    const space = text.indexOf(' ', Math.ceil((text.length * step) / DRAFTS) - 1);
    const to = step === DRAFTS || space < 0 ? text.length : space;
    if (to > shown) yield { type: 'draft', text: text.slice(0, to) };
    shown = to;
  }
}
