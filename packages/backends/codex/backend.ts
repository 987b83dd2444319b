import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendRun,
  type BackendTurn,
  type Host,
} from '@hearth/engine/backend.ts';
import { Detection } from './detection.ts';
import type { ProgramPorts } from '../agent-programs/ports.ts';
import { LateRuns } from '../late-run.ts';

/*
 * The backend that is the person's own Codex: `codex app-server`, started for each turn, spoken to in its protocol over its
 * input and output (docs/adr/0067). Its sessions are in the conversation's directory; the login stays where it is.
 */

const runs = new LateRuns(async () => {
  const [{ ProgramRun }, { CodexPlayer }] = await Promise.all([
    import('../agent-programs/program-run.ts'),
    import('./player.ts'),
  ]);
  return (turn: BackendTurn, host: Host, signal: AbortSignal, ports: ProgramPorts, detection: Detection) =>
    new ProgramRun(turn, host, signal, ports, frame => new CodexPlayer(frame, detection));
});

/** The backend `codex`; each turn is a program of its own. */
export class Codex implements Backend {
  readonly name = 'codex';
  readonly capabilities = ALL_CAPABILITIES;
  readonly #ports: ProgramPorts;
  readonly #detection: Detection;

  constructor(ports: ProgramPorts) {
    this.#ports = ports;
    this.#detection = new Detection(ports);
  }

  /** Usable when the program is there and can reach a model; `why` names its version. Never rejects. */
  async detect(): Promise<{ usable: boolean; why: string; version?: string }> {
    const { usable, why, version } = await this.#detection.detect();
    return { usable, why, ...(version === undefined ? {} : { version }) };
  }

  /** Names the provider, whoever is logged in there. */
  async fingerprint(): Promise<string> {
    const found = await this.#detection.detect();
    return found.usable ? `codex:${found.config.provider ?? 'openai'}` : 'codex:none';
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    return runs.start(turn, host, signal, this.#ports, this.#detection);
  }
}
