import type { BackendEvent, BackendRun, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import { DiskError } from '@hearth/store/disk.ts';
import type { Detection } from './detection.ts';
import { failed, ModelFailure } from './failure.ts';
import { fingerprintOf } from './fingerprint.ts';
import { Loop } from './loop.ts';
import { fruitless, openingOf } from './opening.ts';
import type { PictureGate } from './picture-gate.ts';
import type { ModelApiPorts } from './ports.ts';
import { begun } from './session.ts';
import type { Transcript } from './transcript.ts';
import type { Trees } from './trees.ts';
import type { Windows } from './windows.ts';

/** What the backend knows, whichever turn runs. */
interface Known {
  readonly detection: Detection;
  readonly trees: Trees;
  readonly windows: Windows;
  readonly gate: PictureGate;
}

/**
 * One turn on a model API. The session's event comes first; an interrupt or an abort cuts the request that is under way
 * and ends the turn with `stopped`; whatever is thrown inside becomes a `failed` that says what happened.
 */
export class ModelApiRun implements BackendRun {
  readonly #turn: BackendTurn;
  readonly #host: Host;
  readonly #ports: ModelApiPorts;
  readonly #known: Known;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #offered: InboxMessage[] = [];
  #ended = false;

  constructor(turn: BackendTurn, host: Host, signal: AbortSignal, ports: ModelApiPorts, known: Known) {
    this.#turn = turn;
    this.#host = host;
    this.#ports = ports;
    this.#known = known;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
  }

  offer(message: InboxMessage): void {
    if (!this.#ended) this.#offered.push(message);
  }

  interrupt(): Promise<void> {
    this.#stop.abort();
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    let transcript: Transcript | null = null;
    let loop: Loop | null = null;
    try {
      const { model, provider } = this.#turn.model;
      const { detection, trees, windows, gate } = this.#known;
      const endpoint = await detection.endpoint(model, provider);
      if ('missing' in endpoint) {
        yield failed({ code: 'missing', message: endpoint.missing }, false);
        return;
      }
      const by = fingerprintOf(endpoint);
      const session = await begun(this.#turn, this.#ports, trees, by);
      if ('lost' in session) {
        yield failed({ code: 'session_lost', message: session.lost }, false);
        return;
      }
      transcript = session.transcript;
      yield { ...session.event, model: endpoint.model };
      const instead = fruitless(this.#turn, transcript.lines);
      if (instead !== null) transcript.branch(instead.above);
      await transcript.append(openingOf(this.#turn, transcript.lines, instead));
      loop = new Loop({
        turn: this.#turn,
        host: this.#host,
        ports: this.#ports,
        endpoint,
        by,
        transcript,
        windows,
        gate,
        signal: this.#signal,
        offered: () => this.#offered.splice(0),
      });
      for await (const event of loop.run()) {
        this.#signal.throwIfAborted();
        yield event;
      }
    } catch (error) {
      if (this.#signal.aborted) yield { type: 'stopped' };
      else yield ended(error, loop?.began ?? false);
    } finally {
      this.#ended = true;
      await transcript?.close();
    }
  }
}

function ended(error: unknown, began: boolean): BackendEvent {
  if (error instanceof ModelFailure) return failed(error.failure, began);
  const what = error instanceof DiskError ? error.message : 'something unforeseen happened in it';
  return failed({ code: 'crashed', message: `The turn on the model API broke off: ${what}` }, began);
}
