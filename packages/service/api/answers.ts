import { ArtifactAnswer } from '@hearth/protocol/artifact.ts';
import { AuditPage } from '@hearth/protocol/audit.ts';
import { DispatchStatus } from '@hearth/protocol/dispatch.ts';
import { HistoryPage } from '@hearth/protocol/history.ts';
import { LoginCode, Session } from '@hearth/protocol/login.ts';
import { ModelList, ModelTrial } from '@hearth/protocol/models.ts';
import { Reply } from '@hearth/protocol/receipt.ts';
import { EventPage } from '@hearth/protocol/recovery.ts';
import { RetentionReport } from '@hearth/protocol/retention.ts';
import { RunList, RunSummary, RunTracePage } from '@hearth/protocol/run.ts';
import { ServiceStatus } from '@hearth/protocol/status.ts';
import { Ticket } from '@hearth/protocol/ticket.ts';
import { BlobRef } from '@hearth/protocol/text.ts';
import { TrashEntry } from '@hearth/protocol/trash.ts';
import { ConversationRow, ConversationView } from '@hearth/protocol/view.ts';
import { z } from 'zod';

/*
 * What each route answers with when it does what it is asked, and which problems are its own besides those that any route
 * has. The table and the table of routes must name the same routes, which a test sees to.
 */

/** An answer that is no JSON. */
export type Media =
  | 'text/event-stream'
  | 'application/octet-stream'
  | 'application/x-tar'
  | 'application/jsonl';

/** What a route answers with when all went well, and the problems that are its own. */
export interface Answer {
  /** The schema's name in the description, and the schema; or the media type of what is no JSON. */
  readonly with: readonly [name: string, schema: z.ZodType] | Media;
  /** Codes of problems that are this route's own. */
  readonly problems: readonly string[];
}

const Damaged = z.looseObject({ why: z.string() });
const ConversationList = z.object({ conversations: z.array(ConversationRow), damaged: z.array(Damaged) });
const TicketList = z.object({ tickets: z.array(Ticket), damaged: z.array(Damaged) });
const ImportReport = z.object({
  created: z.array(Ticket),
  skipped: z.array(z.object({ title: z.string(), why: z.string() })),
});
const BotList = z.object({
  bots: z.array(z.object({ name: z.string(), title: z.string(), broken: z.string().exactOptional() })),
});
const BotCheck = z.object({
  ok: z.boolean(),
  diagnostics: z.array(z.looseObject({ code: z.string(), severity: z.string(), message: z.string() })),
});
const TrashList = z.object({ trash: z.array(TrashEntry) });
const Stopping = z.object({ stopping: z.literal(true) });
const Rotated = z.object({ rotated: z.literal(true) });
const Description = z.looseObject({ openapi: z.string(), paths: z.looseObject({}) });

const reply = ['Reply', Reply] as const;
const view = ['ConversationView', ConversationView] as const;
const ticket = ['Ticket', Ticket] as const;
const board = ['unknown_workspace', 'invalid_workspace', 'board_damaged'];
const command = ['command_conflict', 'revision_conflict'];
const bot = ['unknown_bot', 'broken_bot', 'unsupported_bot'];

const says = (what: Answer['with'], ...problems: readonly string[]): Answer => ({ with: what, problems });

/** By method and path, as the table of routes has them. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  'GET /status': says(['ServiceStatus', ServiceStatus]),
  'POST /stop': says(['Stopping', Stopping]),
  'POST /token/rotate': says(['Rotated', Rotated]),
  'GET /openapi.json': says(['Description', Description]),
  'GET /conversations': says(['ConversationList', ConversationList]),
  'POST /conversations': says(reply, ...command, ...bot, 'invalid_vars', 'invalid_workspace'),
  'POST /conversations/import': says(reply, 'archive_invalid', 'command_conflict'),
  'GET /conversations/default': says(view, 'default_missing', 'default_ambiguous'),
  'GET /conversations/:c': says(view),
  'PATCH /conversations/:c': says(reply, ...command, ...bot, 'active'),
  'POST /conversations/:c/default': says(view, 'not_global'),
  'POST /conversations/:c/close': says(reply, 'default', 'active'),
  'POST /conversations/:c/reset': says(reply, ...command, 'active'),
  'GET /conversations/:c/export': says('application/x-tar', 'active'),
  'GET /conversations/:c/recording': says('application/jsonl', 'unknown_run', 'not_recordable'),
  'POST /conversations/:c/messages': says(
    reply,
    ...command,
    'turn_active',
    'empty_message',
    'queue_full',
    'invalid_vars',
    'invalid_attachment',
    'missing_secret',
    'wrong_state',
    'invalid_workspace',
  ),
  'DELETE /conversations/:c/messages/:message': says(reply, ...command, 'unknown_message', 'already_taken'),
  'POST /conversations/:c/interrupt': says(reply, ...command, 'unknown_turn'),
  'POST /conversations/:c/rules/revoke': says(reply, ...command, 'unknown_rule'),
  'POST /conversations/:c/budget': says(reply, ...command, 'wrong_state'),
  'POST /conversations/:c/decisions': says(
    reply,
    ...command,
    'unknown_pause',
    'closed',
    'wrong_state',
    'busy',
    'wrong_artifact',
    'stale_version',
    'digest_mismatch',
    'not_permitted',
    'feedback_required',
    'kind_required',
    'invalid_choice',
  ),
  'GET /conversations/:c/runs': says(['RunList', RunList]),
  'GET /conversations/:c/runs/:run': says(['RunSummary', RunSummary], 'unknown_run'),
  'GET /conversations/:c/runs/:run/trace': says(['RunTracePage', RunTracePage], 'unknown_run'),
  'POST /conversations/:c/runs/:run/pause': says(reply, ...command, 'wrong_state'),
  'POST /conversations/:c/runs/:run/resume': says(reply, ...command, 'wrong_state'),
  'POST /conversations/:c/runs/:run/cancel': says(reply, ...command, 'wrong_state'),
  'GET /conversations/:c/artifacts/:name/:version': says(
    ['ArtifactVersion', ArtifactAnswer],
    'unknown_artifact',
  ),
  'GET /conversations/:c/audit': says(['AuditPage', AuditPage]),
  'GET /conversations/:c/events': says(
    ['EventPage', EventPage],
    'cursor_expired',
    'cursor_ahead',
    'epoch_changed',
    'cursor_invalid',
  ),
  'GET /conversations/:c/history': says(['HistoryPage', HistoryPage]),
  'GET /conversations/:c/stream': says('text/event-stream', 'too_many_streams'),
  'GET /stream': says('text/event-stream', 'too_many_streams'),
  'POST /conversations/:c/blobs': says(['BlobRef', BlobRef], 'unsupported_media_type', 'too_large'),
  'GET /conversations/:c/blobs/:digest': says('application/octet-stream', 'unknown_blob'),
  'GET /trash': says(['TrashList', TrashList]),
  'POST /trash/:t/restore': says(
    reply,
    'unknown_conversation',
    'ambiguous_conversation',
    'still_there',
    'command_conflict',
  ),
  'GET /retention': says(['RetentionReport', RetentionReport]),
  'POST /retention': says(['RetentionReport', RetentionReport]),
  'GET /dispatch': says(['DispatchStatus', DispatchStatus]),
  'PUT /dispatch': says(['DispatchStatus', DispatchStatus], 'settings_invalid'),
  'GET /board/tickets': says(['TicketList', TicketList], ...board),
  'GET /board/tickets/:ticket': says(ticket, ...board, 'unknown_ticket', 'ticket_damaged'),
  'POST /board/tickets': says(ticket, ...board, 'invalid_ticket', 'unknown_state', 'command_conflict'),
  'PATCH /board/tickets/:ticket': says(
    ticket,
    ...board,
    'unknown_ticket',
    'ticket_damaged',
    'unknown_state',
    'command_conflict',
  ),
  'POST /board/tickets/:ticket/comments': says(
    ticket,
    ...board,
    'unknown_ticket',
    'ticket_damaged',
    'invalid_ticket',
    'command_conflict',
  ),
  'POST /board/import': says(['ImportReport', ImportReport], ...board, 'invalid_import', 'command_conflict'),
  'GET /bots': says(['BotList', BotList]),
  'POST /bots/check': says(['BotCheck', BotCheck], 'unknown_bot'),
  'GET /models': says(['ModelList', ModelList]),
  'POST /models/test': says(['ModelTrial', ModelTrial]),
  'PUT /models/default': says(['ModelList', ModelList]),
  'POST /login-codes': says(['LoginCode', LoginCode], 'invalid_workspace', 'studio_unbuilt'),
  'GET /session': says(['Session', Session], 'unknown_session'),
  'POST /login': says(['Session', Session], 'code_unusable', 'too_many_attempts'),
};
