import type { Reader, Readers } from './readers.ts';

/*
 * Every answer is held against its schema, which is loaded with the first answer of its kind: a program that asks two
 * things and ends would otherwise spend most of its time on schemas that it never uses.
 */

/** Reads by what `load` resolves to. */
function later<T>(load: () => Promise<Reader<T>>): Reader<T> {
  return { safeParse: async value => (await load()).safeParse(value) };
}

let readFrame: Readers['frame'] | null = null;

/** As `validating`, for programs that end soon. */
export const onDemand: Readers = {
  artifact: later(async () => (await import('@hearth/protocol/artifact.ts')).ArtifactAnswer),
  audit: later(async () => (await import('@hearth/protocol/audit.ts')).AuditPage),
  blob: later(async () => (await import('@hearth/protocol/text.ts')).BlobRef),
  botCheck: later(async () => (await import('./answers.ts')).BotCheck),
  bots: later(async () => (await import('./answers.ts')).BotList),
  conversationList: later(async () => (await import('./answers.ts')).ConversationList),
  dispatch: later(async () => (await import('@hearth/protocol/dispatch.ts')).DispatchStatus),
  history: later(async () => (await import('@hearth/protocol/history.ts')).HistoryPage),
  importReport: later(async () => (await import('./answers.ts')).ImportReport),
  loginCode: later(async () => (await import('@hearth/protocol/login.ts')).LoginCode),
  models: later(async () => (await import('@hearth/protocol/models.ts')).ModelList),
  modelTrial: later(async () => (await import('@hearth/protocol/models.ts')).ModelTrial),
  page: later(async () => (await import('./answers.ts')).PageAnswer),
  reply: later(async () => (await import('@hearth/protocol/receipt.ts')).Reply),
  retention: later(async () => (await import('@hearth/protocol/retention.ts')).RetentionReport),
  run: later(async () => (await import('@hearth/protocol/run.ts')).RunSummary),
  runs: later(async () => (await import('@hearth/protocol/run.ts')).RunList),
  session: later(async () => (await import('@hearth/protocol/login.ts')).Session),
  status: later(async () => (await import('@hearth/protocol/status.ts')).ServiceStatus),
  ticket: later(async () => (await import('@hearth/protocol/ticket.ts')).Ticket),
  ticketList: later(async () => (await import('./answers.ts')).TicketList),
  trace: later(async () => (await import('@hearth/protocol/run.ts')).RunTracePage),
  trash: later(async () => (await import('@hearth/protocol/trash.ts')).TrashList),
  view: later(async () => (await import('@hearth/protocol/view.ts')).ConversationView),
  frames: async () => {
    readFrame ??= (await import('./frame.ts')).readFrame;
  },
  frame: data => {
    if (readFrame === null) throw new Error('a frame was read before its stream was opened');
    return readFrame(data);
  },
  problem: async (what, status, body) => (await import('./read-problem.ts')).readProblem(what, status, body),
  recovery: async (status, body) =>
    status === 409 ? (await import('./answers.ts')).readRecovery(status, body) : undefined,
};
