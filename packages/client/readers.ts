import type { ArtifactAnswer } from '@hearth/protocol/artifact.ts';
import type { AuditPage } from '@hearth/protocol/audit.ts';
import type { DispatchStatus } from '@hearth/protocol/dispatch.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { LoginCode, Session } from '@hearth/protocol/login.ts';
import type { ModelList, ModelTrial } from '@hearth/protocol/models.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { Recovery } from '@hearth/protocol/recovery.ts';
import type { RetentionReport } from '@hearth/protocol/retention.ts';
import type { RunList, RunSummary, RunTracePage } from '@hearth/protocol/run.ts';
import type { ServiceStatus } from '@hearth/protocol/status.ts';
import type { BlobRef } from '@hearth/protocol/text.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import type { TrashList } from '@hearth/protocol/trash.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { BotCheck, BotList, ConversationList, ImportReport, Page, TicketList } from './answers.ts';
import type { StreamFrame } from './frame.ts';
import type { HearthProblem } from './problem.ts';

/*
 * How answers are read. There are three tables: one that holds every answer against its schema, for surfaces, one that
 * does so with schemas that it loads when they are needed, for commands, and one that takes a service at its word, so that
 * the validator need not be shipped.
 */

/** What became of a value. */
export type Read<T> = { readonly success: true; readonly data: T } | { readonly success: false };

/** Reads one kind of answer, at once or when its schema has been loaded; every schema is one. */
export interface Reader<T> {
  safeParse(value: unknown): Read<T> | Promise<Read<T>>;
}

/** One row for each kind of answer. */
export interface Readers {
  readonly artifact: Reader<ArtifactAnswer>;
  readonly audit: Reader<AuditPage>;
  readonly blob: Reader<BlobRef>;
  readonly botCheck: Reader<BotCheck>;
  readonly bots: Reader<BotList>;
  readonly conversationList: Reader<ConversationList>;
  readonly dispatch: Reader<DispatchStatus>;
  readonly history: Reader<HistoryPage>;
  readonly importReport: Reader<ImportReport>;
  readonly loginCode: Reader<LoginCode>;
  readonly models: Reader<ModelList>;
  readonly modelTrial: Reader<ModelTrial>;
  readonly page: Reader<Page>;
  readonly reply: Reader<Reply>;
  readonly retention: Reader<RetentionReport>;
  readonly run: Reader<RunSummary>;
  readonly runs: Reader<RunList>;
  readonly session: Reader<Session>;
  readonly status: Reader<ServiceStatus>;
  readonly ticket: Reader<Ticket>;
  readonly ticketList: Reader<TicketList>;
  readonly trace: Reader<RunTracePage>;
  readonly trash: Reader<TrashList>;
  readonly view: Reader<ConversationView>;
  /** To be awaited before the first frame is read, where it is there. */
  readonly frames?: () => Promise<void>;
  /** One frame, from the text of a message's data; `null` when it is none at all. */
  readonly frame: (data: string) => StreamFrame | null;
  /** An answer that is none of success; `what` names the call, as in `GET /v1/status`. */
  readonly problem: (what: string, status: number, body: unknown) => HearthProblem | Promise<HearthProblem>;
  /** The recovery that takes a page's place; `undefined` when the answer is another problem. */
  readonly recovery: (status: number, body: unknown) => Recovery | undefined | Promise<Recovery | undefined>;
}

/** Takes any JSON for what is asked for: the service's word is all there is. */
export const trusted = {
  safeParse: (value: unknown): Read<never> =>
    value === undefined ? { success: false } : { success: true, data: value as never },
} satisfies Reader<never>;
