import type { BackendEvent, BackendRun, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import type { ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { Step } from './step.ts';

/** What a run needs of its backend. */
export interface ScriptedTurn {
  readonly turn: BackendTurn;
  readonly number: number;
  /** Absent: the script has no such turn. */
  readonly steps: readonly Step[] | undefined;
  readonly host: Host;
  readonly signal: AbortSignal;
  session(): BackendEvent;
  ran(name: string): void;
  emitted(event: BackendEvent): void;
  called(id: string, name: string, args: JsonObject): void;
  interrupted(): void;
}

const stopped = Symbol('stopped');

/** One turn of a script. An interrupt or an abort ends it with `stopped` even while a step waits. */
export class ScriptedRun implements BackendRun {
  readonly #given: ScriptedTurn;
  readonly #offered: InboxMessage[] = [];
  readonly #results: ToolResult[] = [];
  readonly #stop: Promise<typeof stopped>;
  #stopNow: () => void = () => {};
  #stopping = false;
  #ended = false;
  #taken = 0;
  #seen = 0;
  #offers: (() => void)[] = [];

  constructor(given: ScriptedTurn) {
    this.#given = given;
    this.#stop = new Promise(resolve => {
      this.#stopNow = () => {
        this.#stopping = true;
        resolve(stopped);
      };
    });
    if (given.signal.aborted) this.#stopNow();
    given.signal.addEventListener('abort', this.#stopNow, { once: true });
  }

  offer(message: InboxMessage): void {
    if (this.#ended) return;
    this.#offered.push(message);
    for (const wake of this.#offers.splice(0)) wake();
  }

  interrupt(): Promise<void> {
    if (!this.#ended) this.#given.interrupted();
    this.#stopNow();
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    try {
      for await (const event of this.#events()) {
        this.#given.emitted(event);
        yield event;
      }
    } finally {
      this.#ended = true;
      this.#given.signal.removeEventListener('abort', this.#stopNow);
    }
  }

  async *#events(): AsyncGenerator<BackendEvent> {
    const session = this.#given.session();
    yield session;
    if (session.type === 'failed') return;
    for (const step of this.#given.steps ?? []) {
      if (this.#stopping) return yield { type: 'stopped' };
      this.#given.ran(step.name);
      if (step.is === 'end')
        return yield step.make({ turn: this.#given.turn, results: this.#results, offered: this.#offered });
      if (step.is === 'emit') yield* step.events;
      else if (step.is === 'take') yield* this.#take();
      else if (step.is === 'seen') yield* this.#see();
      else if ((await Promise.race([this.#wait(step), this.#stop])) === stopped)
        return yield { type: 'stopped' };
    }
    if (this.#stopping) return yield { type: 'stopped' };
    const message = `The script has no ${this.#given.steps === undefined ? '' : 'end for '}turn ${this.#given.number}.`;
    yield { type: 'failed', code: 'protocol', message, began: this.#results.length > 0 };
  }

  *#take(): Generator<BackendEvent> {
    const messages = this.#offered.slice(this.#taken).map(message => message.id);
    this.#taken += messages.length;
    if (messages.length > 0) yield { type: 'taken', messages };
  }

  *#see(): Generator<BackendEvent> {
    const messages = this.#offered.slice(this.#seen, this.#taken).map(message => message.id);
    this.#seen = this.#taken;
    if (messages.length > 0) yield { type: 'seen', messages };
  }

  async #wait(step: Extract<Step, { is: 'tool' | 'offered' | 'gate' | 'sleep' | 'die' }>): Promise<void> {
    if (step.is === 'die') throw step.error;
    if (step.is === 'gate') await step.open;
    else if (step.is === 'sleep') await new Promise<void>(resolve => void step.clock.after(step.ms, resolve));
    else if (step.is === 'offered') {
      while (this.#offered.length < step.count)
        await new Promise<void>(resolve => this.#offers.push(resolve));
    } else {
      const id = step.call ?? `s${this.#results.length + 1}`;
      this.#given.called(id, step.tool, step.args);
      this.#results.push(await this.#given.host.call({ id, name: step.tool, args: step.args }));
    }
  }
}
