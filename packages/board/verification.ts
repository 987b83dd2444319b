import { join } from 'node:path';
import { Ticket } from '@hearth/protocol/ticket.ts';
import { DamagedFile, readJson } from '@hearth/store/atomic-file.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { BoardCounter, BoardWorkspace } from './board-files.ts';

/** What is wrong with the files of the board in a directory; nothing is changed. */
export async function verifyBoard(
  disk: Disk,
  directory: string,
): Promise<readonly { readonly path: string; readonly what: string }[]> {
  const findings: { path: string; what: string }[] = [];
  const look = async (read: () => Promise<unknown>): Promise<void> => {
    try {
      await read();
    } catch (thrown) {
      if (thrown instanceof DamagedFile)
        findings.push({ path: thrown.path, what: `is damaged (${thrown.why})` });
      else if (thrown instanceof DiskError) findings.push({ path: thrown.path, what: 'cannot be read' });
      else throw thrown;
    }
  };
  const tickets = join(directory, 'tickets');
  await look(() => readJson(disk, join(directory, 'workspace.json'), BoardWorkspace));
  await look(() => readJson(disk, join(directory, 'board.json'), BoardCounter));
  await look(async () => {
    for (const name of await disk.list(tickets)) {
      if (/^HB-\d+\.json$/.test(name)) await look(() => readJson(disk, join(tickets, name), Ticket));
    }
  });
  return findings;
}
