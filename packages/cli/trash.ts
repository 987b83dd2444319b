import { byteSize } from '@hearth/protocol/byte-size.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { localMinute } from './local-time.ts';
import { print, printJson, printTable } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth trash`: what can be restored, the latest first, and until when. */
export async function trash(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const { trash: entries } = await (await connect(io, 'cli')).trash();
  if (call.flag('json')) {
    printJson(io, entries);
    return EXIT.done;
  }
  if (entries.length === 0) print(io, 'The trash is empty.');
  printTable(
    io,
    entries.map(({ conversation, until, bytes, title, why, by }) => [
      conversation,
      `until ${localMinute(until)}`,
      byteSize(bytes),
      `${title}: ${why ?? `closed by ${by.name}`}`,
    ]),
  );
  return EXIT.done;
}
