import type { Actor } from '@hearth/protocol/actor.ts';
import type { CommandId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import { HearthProblem, unreachable } from './problem.ts';
import type { Reader, Readers } from './readers.ts';
import type { Answered, Call, Target } from './request.ts';
import { headersFor, isSuccess, parsed, request, requestText } from './request.ts';

/** What a write may be given besides its body. */
export interface Signing {
  readonly commandId?: CommandId | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The ways in which one service is called; the client's calls are made of these. A write is signed with who asks and with
 * a command id, of which the service judges one only once.
 */
export class Caller {
  readonly actor: Actor;
  readonly #target: Target;
  readonly #readers: Pick<Readers, 'problem' | 'reply'>;
  readonly #newCommandId: () => CommandId;

  constructor(
    target: Omit<Target, 'readers'>,
    readers: Pick<Readers, 'problem' | 'reply'>,
    actor: Actor,
    newCommandId: () => CommandId,
  ) {
    this.#target = { ...target, readers };
    this.#readers = readers;
    this.actor = actor;
    this.#newCommandId = newCommandId;
  }

  newCommandId(): CommandId {
    return this.#newCommandId();
  }

  read<T>(path: string, schema: Reader<T>, options: Pick<Call<T>, 'signal' | 'other'> = {}): Promise<T> {
    return request(this.#target, { ...options, method: 'GET', path, schema });
  }

  /** A body that is text and no JSON, whole. */
  readText(path: string, signal?: AbortSignal): Promise<string> {
    return requestText(this.#target, { method: 'GET', path, signal });
  }

  write<T>(
    method: Method,
    path: string,
    schema: Reader<T>,
    body: object,
    { commandId, signal }: Signing,
    how: Pick<Call<T>, 'patience' | 'once'> = {},
  ): Promise<T> {
    const signed = { commandId: commandId ?? this.#newCommandId(), actor: this.actor, ...body };
    return request(this.#target, { method, path, schema, body: signed, signal, ...how });
  }

  /** Sends bytes; they are the same however often they arrive, so nobody signs for them. */
  send<T>(path: string, schema: Reader<T>, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<T> {
    return request(this.#target, { method: 'POST', path, schema, bytes, signal });
  }

  /** A write that is judged; rejects with the refusal and the state that it carries. */
  async command(path: string, body: object, options: Signing, method: Method = 'POST'): Promise<Reply> {
    const reply = await this.write(method, path, this.#readers.reply, body, options);
    if (reply.refused === undefined) return reply;
    const { code, message } = reply.refused;
    throw new HearthProblem({ code, status: 409, detail: message, view: reply.view });
  }

  /** A body that comes bit by bit for as long as the signal lets it; whoever reads it watches for silence. */
  async open(
    path: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const { address, fetch } = this.#target;
    const what = `GET /v1${path}`;
    let response: Answered;
    try {
      response = await fetch(`${address}/v1${path}`, {
        method: 'GET',
        headers: headersFor(this.#target, headers),
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw unreachable(what, address, error);
    }
    if (!isSuccess(response.status)) {
      const text = await response.text().catch(() => '');
      throw await this.#readers.problem(what, response.status, parsed(text));
    }
    if (response.body === null) throw unreachable(what, address, null);
    return response.body;
  }
}
