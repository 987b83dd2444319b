import { type Json, JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * JSON-RPC 2.0 with one program, in both directions: requests that are answered, requests of the program's that want an
 * answer, and notifications. It knows nothing of how lines travel.
 */

/** The program refused a request, or ended before it answered. */
export class RpcError extends Error {
  /** The protocol's number; 0 when the program is gone. */
  readonly code: number;
  /** What the program says besides, in a form of its own. */
  readonly data: Json;
  constructor(message: string, code: number, data: Json = null) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** What a request of the program's is answered with. */
export type RpcReply = { readonly result: Json } | { readonly error: { code: number; message: string } };

/** Whoever listens to the program. */
export interface RpcHandlers {
  /** Sends one line. */
  readonly send: (line: JsonObject) => void;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** `null`: there is no such method. A rejection is told as an internal error. */
  readonly onRequest: (method: string, params: JsonObject) => Promise<RpcReply> | null;
}

const Id = z.union([z.string(), z.number()]);
const Called = z.looseObject({
  id: Id.exactOptional(),
  method: z.string(),
  params: JsonObject.catch({}),
});
const Answered = z.looseObject({
  id: z.number(),
  result: z.json().catch(null),
  error: z
    .looseObject({ code: z.number().catch(0), message: z.string().catch(''), data: z.json().catch(null) })
    .nullish(),
});

/** One end of such a talk. Requests reject with `RpcError`; all that are open do when the program ends. */
export class JsonRpc {
  readonly #handlers: RpcHandlers;
  readonly #open = new Map<number, (answer: Json | RpcError) => void>();
  #last = 0;
  #gone: RpcError | null = null;

  constructor(handlers: RpcHandlers) {
    this.#handlers = handlers;
  }

  /** Rejects with `RpcError`. */
  request(method: string, args: JsonObject): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.ask(method, args, answer => (answer instanceof RpcError ? reject(answer) : resolve(answer)));
    });
  }

  /** As `request`; the answer is told before anything that the program said after it. */
  ask(method: string, args: JsonObject, told: (answer: Json | RpcError) => void): void {
    if (this.#gone !== null) return told(this.#gone);
    const id = (this.#last += 1);
    this.#open.set(id, told);
    this.#handlers.send({ jsonrpc: '2.0', id, method, params: args });
  }

  notify(method: string, args: JsonObject = {}): void {
    if (this.#gone === null) this.#handlers.send({ jsonrpc: '2.0', method, params: args });
  }

  /** Reads one line of the program's. What is no message of the protocol is passed over. */
  read(line: JsonObject): void {
    const called = Called.safeParse(line).data;
    if (called !== undefined) {
      const { id, method, params } = called;
      if (id === undefined) this.#handlers.onNotification(method, params);
      else void this.#answer(id, method, params);
      return;
    }
    const answered = Answered.safeParse(line).data;
    if (answered === undefined) return;
    const open = this.#open.get(answered.id);
    this.#open.delete(answered.id);
    const { error, result } = answered;
    open?.(error == null ? result : new RpcError(error.message, error.code, error.data));
  }

  /** The program is gone: nothing will be answered any more. */
  end(message: string): void {
    const gone = (this.#gone ??= new RpcError(message, 0));
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const told of open) told(gone);
  }

  async #answer(id: string | number, method: string, args: JsonObject): Promise<void> {
    const handled = this.#handlers.onRequest(method, args);
    const reply: RpcReply =
      handled === null
        ? { error: { code: -32601, message: `There is no method "${method}" here.` } }
        : await handled.catch(() => ({ error: { code: -32603, message: 'The turn is over.' } }));
    if (this.#gone === null) this.#handlers.send({ jsonrpc: '2.0', id, ...reply });
  }
}
