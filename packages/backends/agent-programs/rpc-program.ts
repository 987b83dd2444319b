import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import { AgentProgram, type ProgramEnd, type ProgramStart } from './agent-program.ts';
import { JsonRpc, type RpcError, type RpcReply } from './json-rpc.ts';

/** How a program that speaks JSON-RPC is started, and who hears it. */
export interface RpcStart extends Pick<ProgramStart, 'argv' | 'cwd' | 'env' | 'leave'> {
  readonly patience?: ProgramStart['patience'] | undefined;
  readonly onNotification?: (method: string, params: JsonObject) => void;
  /** `null`: there is no such method. */
  readonly onRequest?: (method: string, params: JsonObject) => Promise<RpcReply> | null;
  /** It said anything at all. */
  readonly onLine?: () => void;
}

/** One program that is spoken to in JSON-RPC over its input and output. */
export class RpcProgram {
  /** Resolves when nothing of it is left. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  readonly #program: AgentProgram;
  readonly #rpc: JsonRpc;

  constructor({ argv, cwd, env, patience, leave, onNotification, onRequest, onLine }: RpcStart) {
    const rpc = new JsonRpc({
      send: line => this.#program.send(line),
      onNotification: onNotification ?? (() => undefined),
      onRequest: onRequest ?? (() => null),
    });
    this.#rpc = rpc;
    this.#program = AgentProgram.start({
      argv,
      cwd,
      env,
      ...(patience === undefined ? {} : { patience }),
      ...(leave === undefined ? {} : { leave }),
      onLine: line => {
        onLine?.();
        rpc.read(line);
      },
      onNoise: () => void this.end('term'),
    });
    this.ended = this.#program.ended;
    void this.ended.then(() => rpc.end('The program ended before it answered.'));
  }

  /** Rejects with `RpcError`. */
  request(method: string, params: JsonObject): Promise<Json> {
    return this.#rpc.request(method, params);
  }

  /** As `request`; the answer is told before anything that the program said after it. */
  ask(method: string, params: JsonObject, told: (answer: Json | RpcError) => void): void {
    this.#rpc.ask(method, params, told);
  }

  notify(method: string, params?: JsonObject): void {
    this.#rpc.notify(method, params);
  }

  /** Ends it by the ladder. */
  end(from?: 'leave' | 'term'): Promise<ProgramEnd> {
    return this.#program.end(from);
  }
}
