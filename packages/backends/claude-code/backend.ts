import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendRun,
  type BackendTurn,
  type Host,
} from '@hearth/engine/backend.ts';
import { Detection, signerOf } from './detection.ts';
import type { ProgramPorts } from '../agent-programs/ports.ts';
import { LateRuns } from '../late-run.ts';

/*
 * The backend that is the person's own Claude Code: the installed program, spoken to in its JSON lines both ways, with the
 * login that it has (docs/adr/0061). Each turn is a process; the session is in files of the program's in the turn's
 * directory. Hearth's tools are served to it through its own pipes, and of its own tools it has what the node names.
 */

const runs = new LateRuns(async () => {
  const { ClaudeCodeRun } = await import('./run.ts');
  return (...args: ConstructorParameters<typeof ClaudeCodeRun>) => new ClaudeCodeRun(...args);
});

/** The backend `claude-code`; each turn is a process of its own (docs/adr/0061). */
export class ClaudeCode implements Backend {
  readonly name = 'claude-code';
  readonly capabilities = ALL_CAPABILITIES;
  readonly #ports: ProgramPorts;
  readonly #detection: Detection;

  constructor(ports: ProgramPorts) {
    this.#ports = ports;
    this.#detection = new Detection(ports.env, ports.clock);
  }

  /** Usable when the program is there, new enough and logged in. */
  async detect(): Promise<{ usable: boolean; why: string; version?: string }> {
    const { usable, why, version } = await this.#detection.detect();
    return { usable, why, ...(version === undefined ? {} : { version }) };
  }

  fingerprint(): Promise<string> {
    return Promise.resolve(signerOf(this.#ports.env));
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    return runs.start(turn, host, signal, this.#ports, this.#detection);
  }
}
