import { byteSize } from '@hearth/protocol/byte-size.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { RetentionReport } from '@hearth/protocol/retention.ts';
import type { Invocation, Io } from './command.ts';
import { print, printJson, printTable } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth retention`: a pass, now; with `--dry-run` what it would do. Every choice is told with its reason. */
export async function retention(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const report = call.flag('dry-run') ? await client.retention() : await client.retain();
  if (call.flag('json')) printJson(io, report);
  else printReport(io, report);
  return report.failed.length === 0 ? EXIT.done : EXIT.failed;
}

/** What a pass did or would do, a line for each choice; one that failed is never said to have gone. */
export function printReport(io: Io, report: RetentionReport): void {
  const { choices, trash, bytes, dryRun, kept } = report;
  const failed = new Set(kept);
  const removed = dryRun ? 'would go' : 'went';
  printTable(io, [
    ...choices.map(({ remove, conversation, bytes: held, title, why }) => [
      failed.has(conversation) ? 'failed' : remove ? removed : 'stays',
      conversation,
      byteSize(held),
      `${title}: ${why}`,
    ]),
    ...trash.map(({ name, remove, conversation, bytes: held, title, why }) => [
      failed.has(name) ? 'failed' : remove ? `${removed} for good` : 'stays in the trash',
      conversation,
      byteSize(held),
      `${title}: ${why}`,
    ]),
  ]);
  const gone = choices.filter(choice => choice.remove && !failed.has(choice.conversation)).length;
  const of = `${gone} of ${choices.length} ${choices.length === 1 ? 'conversation' : 'conversations'}`;
  print(io, dryRun ? `A pass would move ${of} to the trash.` : `Moved ${of} to the trash.`);
  print(
    io,
    `On the disk: conversations ${byteSize(bytes.conversations)}, trash ${byteSize(bytes.trash)}, quarantine ${byteSize(bytes.quarantine)}, unreadable ${byteSize(bytes.unreadable)}.`,
  );
  if (report.ageSkipped !== null) print(io, report.ageSkipped);
  for (const line of [...report.overage, ...report.failed]) print(io, line);
}
