import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendRun,
  type BackendTurn,
  type Host,
  type ModelChoice,
} from '@hearth/engine/backend.ts';
import type { ModelTrial, ProviderReport } from '@hearth/protocol/models.ts';
import { wantedIn } from '../choice.ts';
import { LateRuns } from '../late-run.ts';
import { Detection } from './detection.ts';
import { fingerprintOf } from './fingerprint.ts';
import { PictureGate } from './picture-gate.ts';
import type { ModelApiPorts } from './ports.ts';
import { Trees } from './trees.ts';
import { Windows } from './windows.ts';

/*
 * The backend that talks to a model's API: Anthropic, OpenAI, or any server that speaks OpenAI's, Ollama among them. It
 * is in the process of the service, needs no program, and runs no tool itself: every tool goes through the host. What a
 * conversation said is in a transcript of its own, so that no provider has to keep anything. Keys come from the
 * environment of the service and go into requests alone.
 */

const runs = new LateRuns(async () => {
  const { ModelApiRun } = await import('./run.ts');
  return (...args: ConstructorParameters<typeof ModelApiRun>) => new ModelApiRun(...args);
});

/** The backend `model-api`: a model's API, with the session in a file of Hearth's own (docs/adr/0022). */
export class ModelApi implements Backend {
  readonly name = 'model-api';
  readonly capabilities = { ...ALL_CAPABILITIES, memory: true } as const;
  readonly #ports: ModelApiPorts;
  readonly #detection: Detection;
  readonly #trees: Trees;
  readonly #windows: Windows;
  readonly #gate: PictureGate;

  constructor(ports: ModelApiPorts) {
    this.#ports = ports;
    this.#detection = new Detection(ports);
    this.#trees = new Trees(ports.disk);
    this.#windows = new Windows(ports);
    this.#gate = new PictureGate(ports);
  }

  /** Usable when the model that `HEARTH_MODEL` names, or any, can be reached; `why` names it. */
  async detect(): Promise<{ usable: boolean; why: string }> {
    const { backend, model } = wantedIn(this.#ports.env['HEARTH_MODEL'] ?? '');
    // What is meant for another backend says nothing of this one.
    const named = backend === null || backend === this.name ? (model ?? 'auto') : 'auto';
    const found = await this.#detection.endpoint(named, null);
    if ('missing' in found) return { usable: false, why: clauseOf(found.missing) };
    return { usable: true, why: `${found.provider.id}/${found.model}, since ${found.provider.by}` };
  }

  async fingerprint(model: ModelChoice): Promise<string> {
    const found = await this.#detection.endpoint(model.model, model.provider);
    return 'missing' in found ? 'model-api:none' : fingerprintOf(found);
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    return runs.start(turn, host, signal, this.#ports, {
      detection: this.#detection,
      trees: this.#trees,
      windows: this.#windows,
      gate: this.#gate,
    });
  }

  /** How every provider stands, in order of preference. Never rejects. */
  providers(): Promise<readonly ProviderReport[]> {
    return this.#detection.reports();
  }

  /** Asks a model for a word; `auto`: the one that bots get. Never rejects. */
  async trial(model: string): Promise<ModelTrial> {
    const found = await this.#detection.endpoint(model, null);
    if ('missing' in found) return { ok: false, code: 'missing', message: found.missing };
    const { trialOf } = await import('./trial.ts');
    return await trialOf(found, this.#ports);
  }
}

/** A sentence as the end of another. A name keeps its capital. */
function clauseOf(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^(No|The) /, first => first.toLowerCase());
}
