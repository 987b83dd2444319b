import { ArtifactAnswer } from '@hearth/protocol/artifact.ts';
import { AuditPage } from '@hearth/protocol/audit.ts';
import { DispatchStatus } from '@hearth/protocol/dispatch.ts';
import { HistoryPage } from '@hearth/protocol/history.ts';
import { LoginCode, Session } from '@hearth/protocol/login.ts';
import { ModelList, ModelTrial } from '@hearth/protocol/models.ts';
import { Reply } from '@hearth/protocol/receipt.ts';
import { RetentionReport } from '@hearth/protocol/retention.ts';
import { RunList, RunSummary, RunTracePage } from '@hearth/protocol/run.ts';
import { ServiceStatus } from '@hearth/protocol/status.ts';
import { Ticket } from '@hearth/protocol/ticket.ts';
import { TrashList } from '@hearth/protocol/trash.ts';
import { BlobRef } from '@hearth/protocol/text.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import {
  BotCheck,
  BotList,
  ConversationList,
  ImportReport,
  PageAnswer,
  readRecovery,
  TicketList,
} from './answers.ts';
import { readFrame } from './frame.ts';
import { readProblem } from './read-problem.ts';
import type { Readers } from './readers.ts';

/** Every answer is held against its schema. */
export const validating: Readers = {
  artifact: ArtifactAnswer,
  audit: AuditPage,
  blob: BlobRef,
  botCheck: BotCheck,
  bots: BotList,
  conversationList: ConversationList,
  dispatch: DispatchStatus,
  history: HistoryPage,
  importReport: ImportReport,
  loginCode: LoginCode,
  models: ModelList,
  modelTrial: ModelTrial,
  page: PageAnswer,
  reply: Reply,
  retention: RetentionReport,
  run: RunSummary,
  runs: RunList,
  session: Session,
  status: ServiceStatus,
  ticket: Ticket,
  ticketList: TicketList,
  trace: RunTracePage,
  trash: TrashList,
  view: ConversationView,
  frame: readFrame,
  problem: readProblem,
  recovery: readRecovery,
};
