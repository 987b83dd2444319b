import type { Actor } from '@hearth/protocol/actor.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import { HistoryPage } from '@hearth/protocol/history.ts';
import type { CommandId, ConversationId, Digest, MessageId, PauseId, TurnId } from '@hearth/protocol/ids.ts';
import { LoginCode } from '@hearth/protocol/login.ts';
import { Reply } from '@hearth/protocol/receipt.ts';
import type { Recovery } from '@hearth/protocol/recovery.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import type { Axis, LedgerName } from '@hearth/protocol/spend.ts';
import { ServiceStatus } from '@hearth/protocol/status.ts';
import type { NewTicket } from '@hearth/protocol/ticket.ts';
import { Ticket } from '@hearth/protocol/ticket.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import { z } from 'zod';
import type { ConversationList, ImportReport, Page, TicketList } from './answers.ts';
import {
  Accepted,
  BotCheck,
  BotList,
  ConversationList as ConversationListAnswer,
  conversationPath,
  ImportReport as ImportReportAnswer,
  PageAnswer,
  readRecovery,
  TicketList as TicketListAnswer,
} from './answers.ts';
import type {
  CallOptions,
  ListFilter,
  Outgoing,
  Seen,
  TicketEdit,
  TicketFilter,
  WriteOptions,
} from './call-options.ts';
import { HearthProblem, readProblem, unreachable } from './problem.ts';
import type { Fetch, Target } from './request.ts';
import { headersFor, query, request } from './request.ts';
import type { Timers } from './timers.ts';
import { systemTimers } from './timers.ts';

export interface ClientOptions {
  /** As in `http://127.0.0.1:4310`. */
  readonly address: string;
  /** The home's bearer token; left out where a session cookie stands for it. */
  readonly token?: string;
  /** What kind of surface this is: `console`, `cli`, `studio`… */
  readonly surface: string;
  /** Who uses it, as other surfaces will show it. */
  readonly name: string;
  /** `caller` for a script; a person otherwise. */
  readonly kind?: Actor['kind'];
  readonly fetch?: Fetch;
  readonly timers?: Timers;
  /** Makes an id that was never used before, 16 to 64 letters, digits, `_` or `-`. */
  readonly newCommandId: () => CommandId;
}

/**
 * The typed calls of one service. Every call rejects with a `HearthProblem` when it is refused or unanswered, and with
 * the signal's reason when aborted. A write that got no answer is sent again under its command id, so it happens once.
 */
export class HearthClient {
  readonly actor: Actor;
  readonly address: string;
  readonly timers: Timers;
  readonly #target: Target;
  readonly #newCommandId: () => CommandId;

  constructor(options: ClientOptions) {
    this.actor = { kind: options.kind ?? 'person', name: options.name, surface: options.surface };
    this.address = options.address.replace(/\/+$/, '');
    this.timers = options.timers ?? systemTimers;
    const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#target = { address: this.address, token: options.token ?? null, fetch, timers: this.timers };
    this.#newCommandId = options.newCommandId;
  }

  /** An id for a command that must be sent again under the same id if it fails. */
  newCommandId(): CommandId {
    return this.#newCommandId();
  }

  status(options: CallOptions = {}): Promise<ServiceStatus> {
    return this.#read('/status', ServiceStatus, options);
  }

  /** Asks the service to stop; resolves when it has agreed to. */
  async stop(options: WriteOptions = {}): Promise<void> {
    await this.#write('POST', '/stop', Accepted, {}, options);
  }

  /** A code that signs one browser in, once; only for whoever has the token. Makes the studio ready too. */
  loginCode(options: WriteOptions = {}): Promise<LoginCode> {
    return this.#write('POST', '/login-codes', LoginCode, {}, options);
  }

  list(filter: ListFilter = {}, options: CallOptions = {}): Promise<ConversationList> {
    const asked = query({ scope: filter.scope, state: filter.state, q: filter.text });
    return this.#read(`/conversations${asked}`, ConversationListAnswer, options);
  }

  /** Makes a conversation; the view in the reply is its own. */
  create(
    wanted: WriteOptions & { readonly title?: string; readonly scope?: Scope; readonly bot?: string },
  ): Promise<Reply> {
    const { commandId, signal, ...body } = wanted;
    return this.#command('/conversations', body, { commandId, signal });
  }

  /** The conversation in which every console opens. Refused with `default_missing` or `default_ambiguous`. */
  default(options: CallOptions = {}): Promise<ConversationView> {
    return this.#read('/conversations/default', ConversationView, options);
  }

  get(c: ConversationId, options: CallOptions = {}): Promise<ConversationView> {
    return this.#read(conversationPath(c), ConversationView, options);
  }

  patch(
    c: ConversationId,
    change: WriteOptions & { readonly title?: string; readonly pinned?: boolean; readonly bot?: string },
  ): Promise<Reply> {
    const { commandId, signal, ...body } = change;
    return this.#command(conversationPath(c), body, { commandId, signal }, 'PATCH');
  }

  /** Moves a conversation into the trash. Refused for the default and while a turn is queued or running. */
  async close(c: ConversationId, options: WriteOptions = {}): Promise<void> {
    await this.#write('POST', conversationPath(c, '/close'), Accepted, {}, options);
  }

  send(c: ConversationId, message: Outgoing): Promise<Reply> {
    const { commandId, signal, ...body } = message;
    return this.#command(conversationPath(c, '/messages'), body, { commandId, signal });
  }

  /** Takes a queued message back. */
  unsend(c: ConversationId, message: MessageId, options: WriteOptions = {}): Promise<Reply> {
    return this.#command(conversationPath(c, `/messages/${message}`), { message }, options, 'DELETE');
  }

  /** Answers one pause. `seen` says which version of a card was on screen. */
  decide(c: ConversationId, pause: PauseId, act: Act, seen: Seen = {}): Promise<Reply> {
    const { commandId, signal, ...body } = seen;
    return this.#command(conversationPath(c, '/decisions'), { pause, act, ...body }, { commandId, signal });
  }

  interrupt(c: ConversationId, turn: TurnId, options: WriteOptions = {}): Promise<Reply> {
    return this.#command(conversationPath(c, '/interrupt'), { turn }, options);
  }

  /** Raises one limit to `to`, absolute and in the axis' unit. */
  raise(
    c: ConversationId,
    ledger: LedgerName,
    axis: Axis,
    to: number,
    options: WriteOptions = {},
  ): Promise<Reply> {
    return this.#command(conversationPath(c, '/budget'), { ledger, axis, to }, options);
  }

  /** A page of the log after a cursor (`null` = from the boundary), or the recovery when it cannot be continued. */
  events(
    c: ConversationId,
    after: Cursor | null,
    limit: number,
    options: CallOptions = {},
  ): Promise<Page | Recovery> {
    const path = conversationPath(c, `/events${query({ after: after ?? undefined, limit })}`);
    return request<Page | Recovery>(this.#target, {
      method: 'GET',
      path,
      schema: PageAnswer,
      signal: options.signal,
      other: readRecovery,
    });
  }

  /** The `turns` latest turns before a sequence number (`null` = the latest of all), oldest first. */
  history(
    c: ConversationId,
    before: number | null,
    turns: number,
    options: CallOptions = {},
  ): Promise<HistoryPage> {
    return this.#read(
      conversationPath(c, `/history${query({ before: before ?? undefined, turns })}`),
      HistoryPage,
      options,
    );
  }

  /** A long text, whole. */
  async blob(c: ConversationId, digest: Digest, options: CallOptions = {}): Promise<string> {
    const response = await this.#open(
      conversationPath(c, `/blobs/${digest.slice('sha256:'.length)}`),
      {},
      options.signal,
    );
    return response.text();
  }

  /** Opens the conversation's stream after a cursor (`null` = from the boundary). The body is server-sent events. */
  async openStream(
    c: ConversationId,
    after: Cursor | null,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const resume: Record<string, string> = after === null ? {} : { 'last-event-id': after };
    const response = await this.#open(
      conversationPath(c, '/stream'),
      { accept: 'text/event-stream', 'cache-control': 'no-store', ...resume },
      signal,
    );
    if (response.body === null) throw unreachable('GET /v1/conversations/…/stream', this.address, null);
    return response.body;
  }

  bots(options: CallOptions = {}): Promise<BotList> {
    return this.#read('/bots', BotList, options);
  }

  /** Compiles the bundle or file at an absolute path. */
  checkBot(path: string, options: WriteOptions = {}): Promise<BotCheck> {
    return this.#write('POST', '/bots/check', BotCheck, { path }, options);
  }

  /** The tickets of the board of a workspace, an absolute path. */
  tickets(workspace: string, filter: TicketFilter = {}, options: CallOptions = {}): Promise<TicketList> {
    const asked = query({ workspace, state: filter.state, label: filter.label, q: filter.text });
    return this.#read(`/board/tickets${asked}`, TicketListAnswer, options);
  }

  /** `id` as `HB-4`, `hb-4` or `4`. */
  ticket(workspace: string, id: string, options: CallOptions = {}): Promise<Ticket> {
    return this.#read(`/board/tickets/${encodeURIComponent(id)}${query({ workspace })}`, Ticket, options);
  }

  addTicket(workspace: string, ticket: NewTicket, options: WriteOptions = {}): Promise<Ticket> {
    return this.#write('POST', '/board/tickets', Ticket, { workspace, ticket }, options);
  }

  changeTicket(workspace: string, id: string, change: TicketEdit): Promise<Ticket> {
    const { commandId, signal, ...body } = change;
    const path = `/board/tickets/${encodeURIComponent(id)}`;
    return this.#write('PATCH', path, Ticket, { workspace, ...body }, { commandId, signal });
  }

  commentTicket(workspace: string, id: string, body: string, options: WriteOptions = {}): Promise<Ticket> {
    return this.#write(
      'POST',
      `/board/tickets/${encodeURIComponent(id)}/comments`,
      Ticket,
      { workspace, body },
      options,
    );
  }

  /** Imports a Markdown checklist or a JSON array, all or nothing; `name` is the file's, for error messages. */
  importTickets(
    workspace: string,
    name: string,
    source: string,
    options: WriteOptions = {},
  ): Promise<ImportReport> {
    return this.#write('POST', '/board/import', ImportReportAnswer, { workspace, name, source }, options);
  }

  #read<T>(path: string, schema: z.ZodType<T>, options: CallOptions): Promise<T> {
    return request(this.#target, { method: 'GET', path, schema, signal: options.signal });
  }

  #write<T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    schema: z.ZodType<T>,
    body: object,
    options: { commandId?: CommandId | undefined; signal?: AbortSignal | undefined },
  ): Promise<T> {
    const signed = { commandId: options.commandId ?? this.#newCommandId(), actor: this.actor, ...body };
    return request(this.#target, { method, path, schema, body: signed, signal: options.signal });
  }

  async #command(
    path: string,
    body: object,
    options: { commandId?: CommandId | undefined; signal?: AbortSignal | undefined },
    method: 'POST' | 'PATCH' | 'DELETE' = 'POST',
  ): Promise<Reply> {
    const reply = await this.#write(method, path, Reply, body, options);
    if (reply.refused === undefined) return reply;
    const { code, message } = reply.refused;
    throw new HearthProblem({ code, status: 409, detail: message, view: reply.view });
  }

  async #open(path: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const what = `GET /v1${path}`;
    const given = signal === undefined ? {} : { signal };
    let response: Response;
    try {
      response = await this.#target.fetch(`${this.address}/v1${path}`, {
        method: 'GET',
        headers: headersFor(this.#target, headers),
        ...given,
      });
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw unreachable(what, this.address, error);
    }
    if (response.ok) return response;
    const body = await response.json().catch(() => null);
    throw readProblem(what, response.status, body);
  }
}
