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

function printReport(io: Io, report: RetentionReport): void {
  const { choices, trash, bytes, dryRun } = report;
  const removed = dryRun ? 'would go' : 'went';
  printTable(io, [
    ...choices.map(({ remove, conversation, bytes: held, title, why }) => [
      remove ? removed : 'stays',
      conversation,
      byteSize(held),
      `${title}: ${why}`,
    ]),
    ...trash.map(({ remove, conversation, bytes: held, title, why }) => [
      remove ? `${removed} for good` : 'stays in the trash',
      conversation,
      byteSize(held),
      `${title}: ${why}`,
    ]),
  ]);
  const gone = choices.filter(choice => choice.remove).length;
  const of = `${gone} of ${choices.length} ${choices.length === 1 ? 'conversation' : 'conversations'}`;
  print(io, dryRun ? `A pass would move ${of} to the trash.` : `Moved ${of} to the trash.`);
  print(
    io,
    `On the disk: conversations ${byteSize(bytes.conversations)}, trash ${byteSize(bytes.trash)}, quarantine ${byteSize(bytes.quarantine)}, unreadable ${byteSize(bytes.unreadable)}.`,
  );
  if (report.ageSkipped !== null) print(io, report.ageSkipped);
  for (const line of [...report.overage, ...report.failed]) print(io, line);
}
