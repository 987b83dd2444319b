import type { AppendHandle, Disk } from '@hearth/store/disk.ts';

/** Milliseconds on a clock that all processes of a machine share. */
export const machineTime = (): number => Number(process.hrtime.bigint()) / 1e6;

const JOURNAL = /\/journal\.\d+\.jsonl$/;

/** A disk that notes when each sync of a journal had ended: from then on its commits are durable, and are published. */
export function noting(disk: Disk, synced: number[]): Disk {
  const append = async (path: string): Promise<AppendHandle> => {
    const handle = await disk.append(path);
    if (!JOURNAL.test(path)) return handle;
    return {
      write: bytes => handle.write(bytes),
      sync: async () => {
        await handle.sync();
        synced.push(machineTime());
      },
      close: () => handle.close(),
    };
  };
  return { ...disk, append };
}
