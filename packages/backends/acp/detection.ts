import { tmpdir } from 'node:os';
import { Kept } from '../agent-programs/kept.ts';
import type { ProgramPorts } from '../agent-programs/ports.ts';
import { RpcProgram } from '../agent-programs/rpc-program.ts';
import { findProgram } from '../agent-programs/search-path.ts';
import { commandOf } from './command.ts';
import { initialize } from './initialize.ts';
import { agentEnvironment } from './known-agents.ts';
import { VERSION } from './wire.ts';

/*
 * Whether the agent that the person names is there and speaks the protocol's version. It is started for that once in a
 * while and says who it is; whether its login works shows with the first turn.
 */

/** How long an answer is good for, in milliseconds: to start an agent takes seconds. */
const KEPT_MS = 5 * 60_000;
/** How long it may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;

/** What was found. `why` is a phrase for a person, also when all is well. */
export type Detected =
  | {
      readonly usable: true;
      readonly why: string;
      readonly version?: string;
      readonly name: string;
      readonly argv: readonly [string, ...string[]];
    }
  | { readonly usable: false; readonly why: string };

/** Starts the agent once to ask who it is. An answer is kept for a while, since each look costs a start. */
export class Detection {
  readonly #ports: ProgramPorts;
  readonly #kept: Kept<Detected>;

  constructor(ports: ProgramPorts) {
    this.#ports = ports;
    this.#kept = new Kept(ports.clock, KEPT_MS, () => this.#look());
  }

  /** Never rejects. */
  detect(): Promise<Detected> {
    return this.#kept.get();
  }

  async #look(): Promise<Detected> {
    const { env, patience } = this.#ports;
    const command = commandOf(env['HEARTH_ACP']);
    if (command === null) {
      return { usable: false, why: 'HEARTH_ACP names no agent; set it to the command that starts yours' };
    }
    const [program, ...rest] = command;
    const path = findProgram(program, env['PATH']);
    if (path === null) {
      return {
        usable: false,
        why: `there is no program "${program}" on the search path, which HEARTH_ACP names`,
      };
    }
    const argv = [path, ...rest] as const;
    const client = new RpcProgram({
      argv: [...argv],
      cwd: tmpdir(),
      env: agentEnvironment(env),
      patience,
    });
    const late = setTimeout(() => void client.end('term'), PATIENCE_MS);
    try {
      const said = await initialize(client);
      const name = said.agentInfo?.title ?? said.agentInfo?.name ?? program;
      const version = said.agentInfo?.version ?? undefined;
      if (said.protocolVersion !== VERSION) {
        const why = `${name} speaks version ${said.protocolVersion} of the Agent Client Protocol, and Hearth version ${VERSION}`;
        return { usable: false, why };
      }
      const why = `${name}${version === undefined ? '' : ` ${version}`} is there, as HEARTH_ACP names it`;
      return { usable: true, why, name, argv: [...argv], ...(version === undefined ? {} : { version }) };
    } catch {
      return {
        usable: false,
        why: `"${program}" does not answer as an agent does; start it by hand to see why`,
      };
    } finally {
      clearTimeout(late);
      await client.end();
    }
  }
}
