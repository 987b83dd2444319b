import type { BackendEvent } from '@hearth/engine/backend.ts';
import { type Mode, toolsOf } from './calls.ts';
import type { Compactor } from './compaction.ts';
import { type Failure, failureOf, ModelFailure } from './failure.ts';
import { messagesOf } from './history.ts';
import type { Line } from './line.ts';
import type { LoopParts } from './loop.ts';
import { watchedField } from './partial-reply.ts';
import { after } from './patience.ts';
import { named, type Shown, type ShownPictures, shownPictures } from './pictures.ts';
import { remembered } from './remembered.ts';
import { type Answered, asked } from './step.ts';

/*
 * One step of a model, asked until it answers or nothing helps any more: what is too long is shortened, pictures that are
 * refused are left out, and what passes in a moment is waited out, as long as nothing of the turn has come.
 */

/** How long it is waited before a busy provider is asked again, in milliseconds. */
const PAUSES_MS: readonly number[] = [1000, 4000];
/** What may be gone a moment later. */
const PASSING: ReadonlySet<Failure['code']> = new Set(['overloaded', 'network']);

/** The steps of one turn. */
export class Asking {
  /** Whether a tool was called or words came out. */
  began = false;
  readonly #parts: LoopParts;
  readonly #compactor: Compactor;
  readonly #kept = new Map<string, Shown>();
  /** Why no picture is sent in this turn any more. */
  #blind: string | null = null;
  /** Pictures of which the person was told that they are not shown. */
  readonly #told = new Set<string>();

  constructor(parts: LoopParts, compactor: Compactor) {
    this.#parts = parts;
    this.#compactor = compactor;
  }

  /** Asks until there is an answer. Throws `ModelFailure`, or what the disk says. */
  async *ask(mode: Mode): AsyncGenerator<BackendEvent, Answered> {
    const { ports, endpoint, transcript, signal } = this.#parts;
    for (let tries = 0; ; tries += 1) {
      let spoke = false;
      const lines = remembered(transcript.lines);
      const pictures = await this.#pictures(lines);
      yield* this.#untold(pictures);
      try {
        return yield* this.#asked(mode, lines, pictures, () => {
          spoke = true;
          this.began = true;
        });
      } catch (error) {
        signal.throwIfAborted();
        const { provider, model, key } = endpoint;
        const failure = failureOf(error, { who: provider.title, model, key, now: ports.clock.now() });
        if (!spoke && this.#leavesOut(pictures, error, failure)) continue;
        const long = failure.code === 'context_length' && !spoke;
        if (long && (yield* this.#compactor.whenRefused(error))) continue;
        const pause = PAUSES_MS[tries];
        if (this.began || pause === undefined || !PASSING.has(failure.code)) throw new ModelFailure(failure);
        // A longer wait is the machine's, which holds nothing meanwhile.
        if ((failure.retryAfterMs ?? 0) > pause) throw new ModelFailure(failure);
        await after(ports.clock, pause, signal);
        signal.throwIfAborted();
      }
    }
  }

  #asked(mode: Mode, lines: readonly Line[], pictures: ShownPictures, spoke: () => void) {
    const { turn, ports, endpoint, signal, by } = this.#parts;
    const { clock, fetch = globalThis.fetch } = ports;
    return asked({
      endpoint,
      system: turn.prompt.system,
      messages: messagesOf(lines, by, endpoint.model, pictures),
      tools: toolsOf(turn, mode),
      mode,
      effort: turn.model.effort,
      maxTokens: turn.maxTokens ?? null,
      watched: watchedField(turn.output),
      quietMs: turn.quietMs,
      clock,
      fetch,
      signal,
      spoke,
    });
  }

  async #pictures(lines: readonly Line[]): Promise<ShownPictures> {
    if (named(lines).length === 0) return new Map();
    const { ports, endpoint, gate } = this.#parts;
    this.#blind ??= await gate.closed(endpoint);
    return await shownPictures(ports.disk, lines, this.#blind, this.#kept);
  }

  /** The person is told of each picture of this turn that the model is not shown. */
  *#untold(pictures: ShownPictures): Generator<BackendEvent> {
    const { lines } = this.#parts.transcript;
    const begins = lines.findLastIndex(line => line.line === 'turn' && line.of === undefined);
    for (const { path, name } of named(lines.slice(Math.max(0, begins))).toReversed()) {
      const found = pictures.get(path);
      if (found === undefined || !('unseen' in found) || this.#told.has(path)) continue;
      this.#told.add(path);
      yield { type: 'narration', text: `The picture ${name} is not shown to the model: ${found.unseen}.` };
    }
  }

  /** Whether a request was refused for its pictures; from then on none is sent in this turn. */
  #leavesOut(pictures: ShownPictures, error: unknown, failure: Failure): boolean {
    if (![...pictures.values()].some(one => 'bytes' in one)) return false;
    const { gate, endpoint } = this.#parts;
    this.#blind = gate.refused(endpoint, error, failure);
    return this.#blind !== null;
  }
}
