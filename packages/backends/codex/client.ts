import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import { AgentProgram, type Patience, type ProgramEnd } from '../agent-programs/agent-program.ts';
import { JsonRpc, type RpcError, type RpcReply } from '../agent-programs/json-rpc.ts';

/** How one program is started, and who hears it. */
export interface ClientStart {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly patience?: Patience;
  readonly onNotification?: (method: string, params: JsonObject) => void;
  readonly onRequest?: (method: string, params: JsonObject) => Promise<RpcReply> | null;
  /** It said anything at all. */
  readonly onLine?: () => void;
}

/** One `codex app-server`, spoken to in the words of its protocol over its input and output. */
export class CodexClient {
  readonly program: AgentProgram;
  readonly #rpc: JsonRpc;

  constructor(start: ClientStart) {
    let program: AgentProgram | null = null;
    const rpc = new JsonRpc({
      send: line => program?.send(line),
      onNotification: start.onNotification ?? (() => undefined),
      onRequest: start.onRequest ?? (() => null),
    });
    program = AgentProgram.start({
      argv: start.argv,
      cwd: start.cwd,
      env: start.env,
      ...(start.patience === undefined ? {} : { patience: start.patience }),
      onLine: line => {
        start.onLine?.();
        rpc.read(line);
      },
      onNoise: () => void program?.end('term'),
    });
    this.program = program;
    this.#rpc = rpc;
    void program.ended.then(() => rpc.end('Codex ended before it answered.'));
  }

  /** The words with which every connection begins. Rejects with `RpcError`. */
  async initialize(): Promise<void> {
    await this.#rpc.request('initialize', {
      clientInfo: { name: 'hearth', title: 'Hearth', version: '1' },
      capabilities: { experimentalApi: true, requestAttestation: false },
    });
    this.#rpc.notify('initialized');
  }

  /** Rejects with `RpcError`. */
  request(method: string, params: JsonObject): Promise<Json> {
    return this.#rpc.request(method, params);
  }

  /** As `request`; the answer is told before anything that the program said after it. */
  ask(method: string, params: JsonObject, told: (answer: Json | RpcError) => void): void {
    this.#rpc.ask(method, params, told);
  }

  /** Ends it by the ladder. */
  end(from?: 'leave' | 'term'): Promise<ProgramEnd> {
    return this.program.end(from);
  }
}
