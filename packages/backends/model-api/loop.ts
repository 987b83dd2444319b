import type { BackendEvent, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import { Asking } from './asking.ts';
import type { Endpoint } from './detection.ts';
import { Compactor } from './compaction.ts';
import { failed } from './failure.ts';
import { type Call, isCall, type Line, openCalls, type Part } from './line.ts';
import type { Tokens } from './models.ts';
import { note } from './opening.ts';
import { picturesOf } from './pictures.ts';
import { fitted, objectIn } from './output.ts';
import type { PictureGate } from './picture-gate.ts';
import type { ModelApiPorts } from './ports.ts';
import type { Answered } from './step.ts';
import { Calls, type Mode } from './calls.ts';
import type { Transcript } from './transcript.ts';
import { totalOf, usageOf } from './usage.ts';
import type { Windows } from './windows.ts';

/*
 * The loop of one turn: ask the model, have the tools run that it calls, and ask again, until it answers, asks the
 * person, or is stopped. Everything is in the transcript before anything follows from it. What was offered meanwhile
 * joins between two steps. Nothing is tried again once a tool was called or words are out.
 */

/** How often an answer that does not fit its schema is asked for again. */
const REPAIRS = 2;

/** What one turn is made with; `endpoint` and the model stay the same for all of it. */
export interface LoopParts {
  readonly turn: BackendTurn;
  readonly host: Host;
  readonly ports: ModelApiPorts;
  readonly endpoint: Endpoint;
  /** Signs what this turn adds. */
  readonly by: string;
  readonly transcript: Transcript;
  readonly windows: Windows;
  readonly gate: PictureGate;
  readonly signal: AbortSignal;
  /** Takes what was offered since the last call. */
  offered(): readonly InboxMessage[];
}

type Ending = Extract<BackendEvent, { type: 'done' | 'parked' | 'failed' }>;

/** The loop of one turn, which `run` drives to its one ending. */
export class Loop {
  readonly #parts: LoopParts;
  readonly #calls: Calls;
  readonly #compactor: Compactor;
  readonly #asking: Asking;
  readonly #ids: Set<string>;
  #steps = 0;
  #repairs = 0;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#calls = new Calls(parts);
    this.#compactor = new Compactor(parts);
    this.#asking = new Asking(parts, this.#compactor);
    const steps = parts.transcript.lines.flatMap(line => (line.line === 'step' ? line.parts : []));
    this.#ids = new Set(steps.filter(isCall).map(part => part.call));
  }

  /** Whether a tool was called or words came out: what a failure must say of itself. */
  get began(): boolean {
    return this.#asking.began;
  }

  /** Drives the turn to its end. Throws `ModelFailure`, or what the disk or the host says. */
  async *run(): AsyncGenerator<BackendEvent> {
    const { transcript, turn } = this.#parts;
    const waits = yield* this.#allowed();
    if (waits) {
      await transcript.append([{ line: 'end', effect: turn.effect, how: 'parked' }]);
      yield { type: 'parked', asks: [], permits: [] };
      return;
    }
    for (;;) {
      const joined = yield* this.#join();
      yield* this.#compactor.whenFull();
      const mode = await this.#mode();
      const { parts, full } = yield* this.#step(mode);
      if (joined.length > 0) yield { type: 'seen', messages: joined };
      const calls = parts.filter(isCall);
      const ending = yield* calls.length === 0
        ? this.#said(textOf(parts))
        : this.#called(calls, textOf(parts), mode, full);
      if (ending === null) continue;
      if (ending.type !== 'failed')
        await transcript.append([{ line: 'end', effect: turn.effect, how: ending.type }]);
      yield ending;
      return;
    }
  }

  /** Makes the calls that a person allowed while the turn was parked. Whether one of them waits again. */
  async *#allowed(): AsyncGenerator<BackendEvent, boolean> {
    const calls = openCalls(this.#parts.transcript.lines);
    if (calls.length > 0) {
      this.#asking.began = true;
      await this.#calls.handle(calls, { mode: 'free', full: false });
    }
    yield* [];
    return this.#calls.outcome().parks;
  }

  /** Messages that were offered become words of the session. */
  async *#join(): AsyncGenerator<BackendEvent, InboxMessage['id'][]> {
    const { transcript } = this.#parts;
    const messages = this.#parts.offered();
    if (messages.length === 0) return [];
    // One that an attempt before this one had taken is in the session already.
    const known = new Set(transcript.lines.flatMap(line => (line.line === 'words' ? [line.message] : [])));
    const fresh = messages.filter(message => !known.has(message.id));
    await transcript.append(
      fresh.map(({ id, text, files }) => ({ line: 'words', text, message: id, ...picturesOf(files) })),
    );
    const ids = messages.map(message => message.id);
    yield { type: 'taken', messages: ids };
    return ids;
  }

  /** What the next step may do. A turn that has used up its steps ends with what it has. */
  async #mode(): Promise<Mode> {
    const { turn, transcript } = this.#parts;
    const last = this.#steps >= turn.maxSteps;
    if (last && this.#steps === turn.maxSteps && this.#repairs === 0) {
      await transcript.append([
        note(`The limit of ${turn.maxSteps} steps is reached. End the turn now with what you have.`),
      ]);
    }
    if (!last && this.#repairs === 0) return 'free';
    return turn.output === null ? 'text' : 'answer';
  }

  async *#step(mode: Mode): AsyncGenerator<BackendEvent, Answered> {
    const { transcript, endpoint, by } = this.#parts;
    const answered = yield* this.#asking.ask(mode);
    this.#steps += 1;
    const parts = answered.parts.map(part => this.#unique(part));
    const total = totalOf(answered.tokens);
    const counted = total === null ? {} : { tokens: total };
    const line: Line = { line: 'step', by, model: endpoint.model, parts, ...counted };
    await transcript.append([line]);
    yield* this.#used(answered.tokens);
    return { ...answered, parts };
  }

  *#used(tokens: Tokens | null): Generator<BackendEvent> {
    const { endpoint, windows } = this.#parts;
    const used = totalOf(tokens);
    if (used !== null) windows.answered(endpoint, used);
    const window = windows.known(endpoint);
    yield usageOf(endpoint, tokens);
    if (used !== null && window !== null) yield { type: 'context', used, window };
  }

  /** A step without calls: the end of a turn without a schema, or an answer written as text. */
  async *#said(text: string): AsyncGenerator<BackendEvent, Ending | null> {
    const { output } = this.#parts.turn;
    if (output === null) return { type: 'done', output: { text }, text };
    const object = objectIn(text);
    const fit = fitted(output, object);
    if (fit.ok) return done(fit.output, '');
    const ending = this.#repair(object === null ? 'the answer came as text' : fit.why);
    if (ending === null) {
      await this.#parts.transcript.append([
        note(`This is not the end of the turn: ${why(object, fit.why)}. Call final_answer with every field.`),
      ]);
    }
    yield* [];
    return ending;
  }

  async *#called(
    calls: readonly Call[],
    text: string,
    mode: Mode,
    full: boolean,
  ): AsyncGenerator<BackendEvent, Ending | null> {
    const final = calls.every(call => this.#calls.isFinal(call));
    if (text !== '' && !final) yield { type: 'narration', text };
    if (calls.some(call => this.#calls.runs(call, mode))) this.#asking.began = true;
    await this.#calls.handle(calls, { mode, full });
    const { asks, output, misfit, parks } = this.#calls.outcome();
    if (asks.length > 0 || parks) return { type: 'parked', asks, permits: [] };
    if (output !== null) {
      const ending = done(output, text);
      if (text !== '' && !repeats(ending.text, text)) yield { type: 'narration', text };
      return ending;
    }
    return misfit === null ? null : this.#repair(misfit);
  }

  /** Asks for the final answer again, while that is allowed. */
  #repair(misfit: string): Ending | null {
    if (this.#repairs < REPAIRS) {
      this.#repairs += 1;
      return null;
    }
    const { model } = this.#parts.endpoint;
    const message = `${model} gave no answer of the form that the bot asks for, even after it was told what is wrong: ${misfit}.`;
    return failed({ code: 'schema', message }, true);
  }

  /**
   * Servers may give every call the same id; in a session it must be a call's own, of plain letters. So must a name be
   * plain, whatever a model makes up: vendors refuse every request in which another one stands.
   */
  #unique(part: Part): Part {
    if (!isCall(part)) return part;
    const name = part.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
    const plain = part.call.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 60) || 'call';
    let call = plain;
    for (let count = 2; this.#ids.has(call); count += 1) call = `${plain}-${count}`;
    this.#ids.add(call);
    return { ...part, call, name };
  }
}

function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap(part => (part.is === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}

function why(object: unknown, misfit: string): string {
  return object === null ? 'the answer must come through final_answer' : misfit;
}

function done(output: Extract<Ending, { type: 'done' }>['output'], text: string) {
  const { reply } = output;
  return { type: 'done', output, text: typeof reply === 'string' ? reply : text } as const;
}

/** Whether the words beside a final answer only say what the answer says. */
function repeats(reply: string, text: string): boolean {
  const [one, other] = [reply, text].map(words => words.replaceAll(/\s+/g, ' ').trim());
  return one === undefined || other === undefined || one.includes(other) || other.includes(one);
}
