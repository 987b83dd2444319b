import type { ArtifactAnswer } from '@hearth/protocol/artifact.ts';
import type { AuditPage } from '@hearth/protocol/audit.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { ConversationId, Digest, MessageId, PauseId, RunId, TurnId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { Recovery } from '@hearth/protocol/recovery.ts';
import type { RunList, RunSummary, RunTracePage } from '@hearth/protocol/run.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import type { Axis, LedgerName } from '@hearth/protocol/spend.ts';
import type { BlobRef } from '@hearth/protocol/text.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { ConversationList, Page } from './answers.ts';
import { BoardCalls } from './board-calls.ts';
import type { CallOptions, ListFilter, Outgoing, Seen, WriteOptions } from './call-options.ts';
import type { StreamFrame } from './frame.ts';
import { query } from './request.ts';

/**
 * The typed calls of one service, whose answers are read by what it is made with. Every call rejects with a
 * `HearthProblem` when it is refused or unanswered, and with the signal's reason when aborted. A write that got no answer
 * is sent again under its command id, so it happens once.
 */
export class Calls extends BoardCalls {
  list(filter: ListFilter = {}, options: CallOptions = {}): Promise<ConversationList> {
    const asked = query({ scope: filter.scope, state: filter.state, q: filter.text });
    return this.caller.read(`/conversations${asked}`, this.readers.conversationList, options);
  }

  /** Makes a conversation; the view in the reply is its own. */
  create(
    wanted: WriteOptions & {
      readonly title?: string;
      readonly scope?: Scope;
      readonly bot?: string;
      readonly preset?: string;
    },
  ): Promise<Reply> {
    const { commandId, signal, ...body } = wanted;
    return this.caller.command('/conversations', body, { commandId, signal });
  }

  /** The conversation in which every console opens. Refused with `default_missing` or `default_ambiguous`. */
  default(options: CallOptions = {}): Promise<ConversationView> {
    return this.caller.read('/conversations/default', this.readers.view, options);
  }

  /** Makes a conversation the only default; the repair of a home that has none, or more than one. */
  makeDefault(c: ConversationId, options: WriteOptions = {}): Promise<ConversationView> {
    return this.caller.write('POST', conversationPath(c, '/default'), this.readers.view, {}, options);
  }

  get(c: ConversationId, options: CallOptions = {}): Promise<ConversationView> {
    return this.caller.read(conversationPath(c), this.readers.view, options);
  }

  patch(
    c: ConversationId,
    change: WriteOptions & {
      readonly title?: string;
      readonly pinned?: boolean;
      readonly bot?: string;
      readonly model?: string;
    },
  ): Promise<Reply> {
    const { commandId, signal, ...body } = change;
    return this.caller.command(conversationPath(c), body, { commandId, signal }, 'PATCH');
  }

  /** The whole conversation as an archive, byte by byte. Refused while it works. */
  export(c: ConversationId, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.caller.open(conversationPath(c, '/export'), { accept: 'application/x-tar' }, signal);
  }

  /** A run as a recording in JSON lines; the latest unless one is named. */
  async recording(c: ConversationId, run: RunId | null, signal: AbortSignal): Promise<string> {
    const query = run === null ? '' : `?run=${run}`;
    const headers = { accept: 'application/jsonl' };
    const body = await this.caller.open(conversationPath(c, `/recording${query}`), headers, signal);
    return new Response(body).text();
  }

  /** Takes in the archive at an absolute path of the service's machine; the view in the reply is its conversation's. */
  import(path: string, options: WriteOptions = {}): Promise<Reply> {
    return this.caller.command('/conversations/import', { path }, options);
  }

  /** Moves a conversation into the trash. Refused for the default and while a turn is queued or running. */
  close(c: ConversationId, options: WriteOptions = {}): Promise<Reply> {
    return this.caller.command(conversationPath(c, '/close'), {}, options);
  }

  /** Begins anew: a fresh run and session. Refused while a turn is queued or running. */
  reset(c: ConversationId, options: WriteOptions = {}): Promise<Reply> {
    return this.caller.command(conversationPath(c, '/reset'), {}, options);
  }

  /** Brings a conversation back, named as in the trash, by its id, or by a beginning of that. */
  restore(name: string, options: WriteOptions = {}): Promise<Reply> {
    return this.caller.command(`/trash/${encodeURIComponent(name)}/restore`, {}, options);
  }

  send(c: ConversationId, message: Outgoing): Promise<Reply> {
    const { commandId, signal, ...body } = message;
    return this.caller.command(conversationPath(c, '/messages'), body, { commandId, signal });
  }

  /** Keeps the bytes of a file for a message to bring, by what this resolves to. */
  upload(
    c: ConversationId,
    file: { readonly name: string; readonly mime?: string; readonly bytes: Uint8Array<ArrayBuffer> },
    options: CallOptions = {},
  ): Promise<BlobRef> {
    const path = conversationPath(c, `/blobs${query({ name: file.name, mime: file.mime })}`);
    return this.caller.send(path, this.readers.blob, file.bytes, options.signal);
  }

  /** Takes a queued message back. */
  unsend(c: ConversationId, message: MessageId, options: WriteOptions = {}): Promise<Reply> {
    return this.caller.command(conversationPath(c, `/messages/${message}`), { message }, options, 'DELETE');
  }

  /** Answers one pause. `seen` says which version of a card was on screen. */
  decide(c: ConversationId, pause: PauseId, act: Act, seen: Seen = {}): Promise<Reply> {
    const { commandId, signal, ...body } = seen;
    return this.caller.command(
      conversationPath(c, '/decisions'),
      { pause, act, ...body },
      { commandId, signal },
    );
  }

  interrupt(c: ConversationId, turn: TurnId, options: WriteOptions = {}): Promise<Reply> {
    return this.caller.command(conversationPath(c, '/interrupt'), { turn }, options);
  }

  /** Takes back what was allowed or denied for good. */
  revokeRule(c: ConversationId, rule: string, options: WriteOptions = {}): Promise<Reply> {
    return this.caller.command(conversationPath(c, '/rules/revoke'), { rule }, options);
  }

  /** Raises one limit to `to`, absolute and in the axis' unit. */
  raise(
    c: ConversationId,
    ledger: LedgerName,
    axis: Axis,
    to: number,
    options: WriteOptions = {},
  ): Promise<Reply> {
    return this.caller.command(conversationPath(c, '/budget'), { ledger, axis, to }, options);
  }

  /** A version of an artifact, whole; with what changed since an earlier one, where `since` names it. */
  artifact(
    c: ConversationId,
    { artifact, version }: { readonly artifact: string; readonly version: number },
    options: CallOptions & { readonly since?: number | undefined } = {},
  ): Promise<ArtifactAnswer> {
    const path = `/artifacts/${encodeURIComponent(artifact)}/${version}${query({ since: options.since })}`;
    return this.caller.read(conversationPath(c, path), this.readers.artifact, options);
  }

  /** The latest of what changed nothing: refused, repeated, too late. */
  audit(c: ConversationId, options: CallOptions = {}): Promise<AuditPage> {
    return this.caller.read(conversationPath(c, '/audit'), this.readers.audit, options);
  }

  /** The runs that are kept, in figures, the latest first. */
  runs(c: ConversationId, options: CallOptions = {}): Promise<RunList> {
    return this.caller.read(conversationPath(c, '/runs'), this.readers.runs, options);
  }

  /** One run in figures. */
  run(c: ConversationId, run: RunId, options: CallOptions = {}): Promise<RunSummary> {
    return this.caller.read(conversationPath(c, `/runs/${run}`), this.readers.run, options);
  }

  /** What a run did, step by step. */
  trace(c: ConversationId, run: RunId, options: CallOptions = {}): Promise<RunTracePage> {
    return this.caller.read(conversationPath(c, `/runs/${run}/trace`), this.readers.trace, options);
  }

  /** Pauses a run before its next step, takes it up again, or gives it up. */
  operate(
    c: ConversationId,
    run: RunId,
    what: 'pause' | 'resume' | 'cancel',
    options: WriteOptions = {},
  ): Promise<Reply> {
    return this.caller.command(conversationPath(c, `/runs/${run}/${what}`), { run }, options);
  }

  /** A page of the log after a cursor (`null` = from the boundary), or the recovery when it cannot be continued. */
  events(
    c: ConversationId,
    after: Cursor | null,
    limit: number,
    options: CallOptions = {},
  ): Promise<Page | Recovery> {
    const path = conversationPath(c, `/events${query({ after: after ?? undefined, limit })}`);
    return this.caller.read<Page | Recovery>(path, this.readers.page, {
      signal: options.signal,
      other: this.readers.recovery,
    });
  }

  /** The `turns` latest turns before a sequence number (`null` = the latest of all), oldest first. */
  history(
    c: ConversationId,
    before: number | null,
    turns: number,
    options: CallOptions = {},
  ): Promise<HistoryPage> {
    return this.caller.read(
      conversationPath(c, `/history${query({ before: before ?? undefined, turns })}`),
      this.readers.history,
      options,
    );
  }

  /** A long text, whole. */
  blob(c: ConversationId, digest: Digest, options: CallOptions = {}): Promise<string> {
    const path = conversationPath(c, `/blobs/${digest.slice('sha256:'.length)}`);
    return this.caller.readText(path, options.signal);
  }

  /** Opens the conversation's stream after a cursor (`null` = from the boundary). The body is server-sent events. */
  openStream(
    c: ConversationId,
    after: Cursor | null,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const resume: Record<string, string> = after === null ? {} : { 'last-event-id': after };
    const headers = { accept: 'text/event-stream', 'cache-control': 'no-store', ...resume };
    const open = (): Promise<ReadableStream<Uint8Array>> =>
      this.caller.open(conversationPath(c, '/stream'), headers, signal);
    return this.readers.frames?.().then(open) ?? open();
  }

  /** Reads the data of one message of a stream; `null` when it is no frame at all. */
  readFrame(data: string): StreamFrame | null {
    return this.readers.frame(data);
  }
}

/** The path of a conversation and of what is in it. */
function conversationPath(c: ConversationId, rest = ''): string {
  return `/conversations/${c}${rest}`;
}
