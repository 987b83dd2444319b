import type { Backend, BackendRun, BackendTurn, Capabilities, Host } from '@hearth/engine/backend.ts';
import { Detection } from './detection.ts';
import type { ProgramPorts } from '../agent-programs/ports.ts';
import { LateRuns } from '../late-run.ts';

/*
 * The backend that is any agent of the person's which speaks the Agent Client Protocol: the command in `HEARTH_ACP`,
 * started for each turn. The protocol lets nobody say which tools an agent has, nor speak to it while it works.
 */

const CAPABILITIES: Capabilities = {
  toolBoundary: false,
  steering: false,
  resume: true,
  fork: true,
  structuredOutput: true,
};

const runs = new LateRuns(async () => {
  const [{ ProgramRun }, { AcpPlayer }] = await Promise.all([
    import('../agent-programs/program-run.ts'),
    import('./player.ts'),
  ]);
  return (turn: BackendTurn, host: Host, signal: AbortSignal, ports: ProgramPorts, detection: Detection) =>
    new ProgramRun(turn, host, signal, ports, frame => new AcpPlayer(frame, detection));
});

/** The backend `acp`: the agent that `HEARTH_ACP` names, started for each turn (docs/adr/0068). */
export class Acp implements Backend {
  readonly name = 'acp';
  readonly capabilities = CAPABILITIES;
  readonly #ports: ProgramPorts;
  readonly #detection: Detection;

  /** `detection` may be shared by backends that start the same agent. */
  constructor(ports: ProgramPorts, detection = new Detection(ports)) {
    this.#ports = ports;
    this.#detection = detection;
  }

  /** Usable when the agent is there and speaks the protocol's version; `why` names it. Never rejects. */
  async detect(): Promise<{ usable: boolean; why: string; version?: string }> {
    const found = await this.#detection.detect();
    const { usable, why } = found;
    return {
      usable,
      why,
      ...(found.usable && found.version !== undefined ? { version: found.version } : {}),
    };
  }

  /** Names the agent; who is logged in there is its own business. */
  async fingerprint(): Promise<string> {
    const found = await this.#detection.detect();
    return found.usable ? `acp:${found.name}` : 'acp:none';
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    return runs.start(turn, host, signal, this.#ports, this.#detection);
  }
}
