import { basename } from 'node:path';
import { parseRecording, type Recording } from '@hearth/backends/replay/recording.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import type { Contents } from './bundle-contents.ts';

/** Bytes of a recording at most. */
const LIMIT = 8 * 1024 * 1024;

/** The recordings of a bundle, by name. What cannot be read is a diagnostic, with its line. */
export async function readRecordings(
  contents: Contents,
  diagnostics: Diagnostic[],
): Promise<Readonly<Record<string, Recording>>> {
  const found: Record<string, Recording> = {};
  for (const file of contents.recordings) {
    const read = await contents.read(file, LIMIT);
    if (read === null) continue;
    const refuse = (line: number, why: string): void => {
      const message = `The recording cannot be played: ${why}.`;
      const fix = 'Record it again with "hearth record", or remove the file.';
      diagnostics.push({ code: 'H208', severity: 'error', message, fix, file, at: { line, column: 1 } });
    };
    if ('fault' in read) {
      refuse(1, `it ${read.fault}`);
      continue;
    }
    if (read.bytes.length > LIMIT) {
      refuse(1, `it is larger than ${LIMIT} bytes`);
      continue;
    }
    const { recording, fault } = parseRecording(new TextDecoder().decode(read.bytes));
    if (recording === null) refuse(fault.line, fault.why);
    else found[basename(file, '.jsonl')] = recording;
  }
  return found;
}
