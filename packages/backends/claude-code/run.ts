import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackendEvent, BackendRun, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import { closedHome } from '../agent-programs/closed-home.ts';
import { EventQueue } from '../agent-programs/event-queue.ts';
import { closeToOthers } from '../agent-programs/private-files.ts';
import type { Detected, Detection } from './detection.ts';
import { signerOf } from './detection.ts';
import { OWN_DIRECTORY, temporaryDirectory } from './environment.ts';
import { failed } from './failure.ts';
import type { ProgramPorts } from '../agent-programs/ports.ts';
import { type KeptSession, keptSession } from './session-files.ts';
import { type Begins, Talk } from './talk.ts';

/**
 * One turn on Claude Code: a process of its own from the turn's start to its end, in a session that its files in the
 * turn's directory carry on. The last event is given when the process is gone and what it left behind temporarily too.
 */
export class ClaudeCodeRun implements BackendRun {
  readonly #turn: BackendTurn;
  readonly #host: Host;
  readonly #signal: AbortSignal;
  readonly #ports: ProgramPorts;
  readonly #detection: Detection;
  #offered: InboxMessage[] = [];
  #talk: Talk | null = null;
  #interrupted = false;
  #ended = false;

  constructor(turn: BackendTurn, host: Host, signal: AbortSignal, ports: ProgramPorts, detection: Detection) {
    this.#turn = turn;
    this.#host = host;
    this.#signal = signal;
    this.#ports = ports;
    this.#detection = detection;
  }

  offer(message: InboxMessage): void {
    if (this.#ended) return;
    if (this.#talk === null) this.#offered.push(message);
    else this.#talk.offer(message);
  }

  async interrupt(): Promise<void> {
    this.#interrupted = true;
    await this.#talk?.interrupt();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    try {
      const begins = await this.#begins();
      if ('type' in begins) yield begins;
      else if (this.#interrupted || this.#signal.aborted) yield { type: 'stopped' };
      else yield* this.#talked(begins);
    } finally {
      this.#ended = true;
    }
  }

  async *#talked(begins: Begins): AsyncGenerator<BackendEvent> {
    const temporary = temporaryDirectory(this.#turn.directory);
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    const events = new EventQueue();
    const talk = new Talk({
      turn: this.#turn,
      host: this.#host,
      ports: this.#ports,
      begins,
      put: event => events.push(event),
    });
    this.#talk = talk;
    for (const message of this.#offered.splice(0)) talk.offer(message);
    const abort = (): void => talk.abort();
    this.#signal.addEventListener('abort', abort, { once: true });
    if (this.#interrupted) void talk.interrupt();
    if (this.#signal.aborted) abort();
    const over = talk.ended.then(async ending => {
      this.#ended = true;
      await rm(temporary, { recursive: true, force: true });
      await closeToOthers(join(this.#turn.directory, OWN_DIRECTORY));
      void events.push(ending);
    });
    try {
      yield* events;
      yield await events.ended;
    } finally {
      this.#signal.removeEventListener('abort', abort);
      talk.abort();
      await over;
    }
  }

  /** What the program is started with, or why it is not. */
  async #begins(): Promise<Begins | BackendEvent> {
    const { model, session, directory } = this.#turn;
    const detected = await this.#detection.detect();
    if (!detected.usable) return missing(detected);
    const provider = model.provider ?? /^([a-z]+)\//.exec(model.model)?.[1] ?? 'anthropic';
    if (provider !== 'anthropic') {
      const message = `Claude Code reaches Anthropic's models alone, and what is asked for is of "${provider}"; choose another backend or model.`;
      return failed({ code: 'missing', message }, false);
    }
    const { path } = detected;
    const fingerprint = signerOf(this.#ports.env);
    const closed = await closedHome(this.#ports.home, this.#turn);
    const plain = { path, fingerprint, closed, holds: () => false };
    if (session.mode === 'fresh') return { ...plain, how: 'opened', from: null };
    const kept: KeptSession | null = await keptSession(directory, session.id);
    if (kept !== null) {
      const fork = session.mode === 'fork';
      return {
        ...plain,
        holds: kept.holds,
        how: fork ? 'forked' : 'resumed',
        from: { session: session.id, fork },
      };
    }
    if (session.strict) {
      const message = `The session "${session.id}" is gone, and this bot does not go on without it; start a new conversation with /new.`;
      return failed({ code: 'session_lost', message }, false);
    }
    return { ...plain, how: 'reseeded', from: null };
  }
}

function missing(detected: Extract<Detected, { usable: false }>): BackendEvent {
  return failed({ code: 'missing', message: `Claude Code cannot be used: ${detected.why}.` }, false);
}
