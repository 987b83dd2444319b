import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import { AgentProgram, type Patience, type ProgramEnd } from '../agent-programs/agent-program.ts';
import { JsonRpc, type RpcReply } from '../agent-programs/json-rpc.ts';
import { Initialized, VERSION } from './wire.ts';

/** How an agent is started, and who hears it. */
export interface ClientStart {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly patience?: Patience;
  readonly onUpdate?: (params: JsonObject) => void;
  readonly onPermission?: (params: JsonObject) => Promise<RpcReply>;
  /** It said anything at all. */
  readonly onLine?: () => void;
}

/** One agent, spoken to in the Agent Client Protocol over its input and output. */
export class AcpClient {
  readonly program: AgentProgram;
  readonly #rpc: JsonRpc;

  constructor(start: ClientStart) {
    let program: AgentProgram | null = null;
    const rpc = new JsonRpc({
      send: line => program?.send(line),
      onNotification: (method, params) => {
        if (method === 'session/update') start.onUpdate?.(params);
      },
      onRequest: (method, params) =>
        method === 'session/request_permission' ? (start.onPermission?.(params) ?? null) : null,
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
    void program.ended.then(() => rpc.end('The agent ended before it answered.'));
  }

  /** What the agent says of itself. It is offered no files and no terminal: what it does is its own doing. Rejects with `RpcError`. */
  async initialize(): Promise<Initialized> {
    const answer = await this.#rpc.request('initialize', {
      protocolVersion: VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'hearth', title: 'Hearth', version: '1' },
    });
    return Initialized.parse(answer);
  }

  /** Rejects with `RpcError`. */
  request(method: string, params: JsonObject): Promise<Json> {
    return this.#rpc.request(method, params);
  }

  notify(method: string, params: JsonObject): void {
    this.#rpc.notify(method, params);
  }

  /** Ends it by the ladder. */
  end(from?: 'leave' | 'term'): Promise<ProgramEnd> {
    return this.program.end(from);
  }
}
