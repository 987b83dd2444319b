import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendEvent,
  type BackendRun,
  type BackendTurn,
  type Host,
} from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { ScriptedRun } from './scripted-run.ts';
import type { Step } from './step.ts';

/*
 * A backend for tests and recordings: it does what its script says and nothing else, records every turn it was given,
 * and counts every step it ran. Nothing in it is random or timed; a step that waits waits for a promise or a `Clock`.
 */

/** The steps of each turn, in the order in which turns start; or the steps of a turn, made from it. */
export type Script = readonly (readonly Step[])[] | ((turn: BackendTurn, number: number) => readonly Step[]);

export interface ScriptedOptions {
  readonly name?: string;
  readonly usable?: boolean;
  /** Sessions that it knows from the start, besides those it opens. */
  readonly knows?: readonly string[];
}

export class ScriptedBackend implements Backend {
  readonly name: string;
  readonly capabilities = ALL_CAPABILITIES;
  /** Every turn it was given, in order. */
  readonly turns: BackendTurn[] = [];
  /** Everything it emitted, per turn. */
  readonly emitted: BackendEvent[][] = [];
  /** Tool calls that it made, in order. */
  readonly calls: {
    readonly turn: number;
    readonly id: string;
    readonly name: string;
    readonly args: JsonObject;
  }[] = [];
  /** How often it was told to stop a turn. */
  interrupts = 0;
  readonly #script: Script;
  readonly #usable: boolean;
  readonly #counts = new Map<string, number>();
  readonly #sessions: Set<string>;
  #opened = 0;

  constructor(script: Script, options: ScriptedOptions = {}) {
    this.name = options.name ?? 'scripted';
    this.#script = script;
    this.#usable = options.usable ?? true;
    this.#sessions = new Set(options.knows);
  }

  detect(): Promise<{ usable: boolean; why: string }> {
    return Promise.resolve({ usable: this.#usable, why: this.#usable ? 'scripted' : 'scripted as unusable' });
  }

  fingerprint(): Promise<string> {
    return Promise.resolve(`${this.name}-1`);
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    this.turns.push(turn);
    const number = this.turns.length;
    const emitted: BackendEvent[] = [];
    this.emitted.push(emitted);
    return new ScriptedRun({
      turn,
      number,
      steps: typeof this.#script === 'function' ? this.#script(turn, number) : this.#script[number - 1],
      host,
      signal,
      session: () => this.#session(turn),
      ran: name => this.#counts.set(name, this.count(name) + 1),
      emitted: event => emitted.push(event),
      called: (id, name, args) => this.calls.push({ turn: number, id, name, args }),
      interrupted: () => {
        this.interrupts += 1;
      },
    });
  }

  /** How many steps of this name ran, over all turns: `tool close_issue`, `narrate`, `ask`… */
  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Forgets every session, as a backend does whose files were removed. */
  loseSessions(): void {
    this.#sessions.clear();
  }

  #session(turn: BackendTurn): BackendEvent {
    const fingerprint = `${this.name}-1`;
    const { session } = turn;
    if (session.mode === 'fresh') return { type: 'session', id: this.#open(), fingerprint, how: 'opened' };
    if (this.#sessions.has(session.id)) {
      if (session.mode === 'fork') return { type: 'session', id: this.#open(), fingerprint, how: 'forked' };
      return { type: 'session', id: session.id, fingerprint, how: 'resumed' };
    }
    if (session.strict) {
      return {
        type: 'failed',
        code: 'session_lost',
        message: `There is no session "${session.id}".`,
        began: false,
      };
    }
    const degraded = `The session "${session.id}" is gone.`;
    return { type: 'session', id: this.#open(), fingerprint, how: 'reseeded', degraded };
  }

  #open(): string {
    this.#opened += 1;
    const id = `${this.name}-session-${this.#opened}`;
    this.#sessions.add(id);
    return id;
  }
}
