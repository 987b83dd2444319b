/** What a verification finds, and how it reads files that may be damaged. */
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { linesFrom } from '@hearth/store/line-reader.ts';

/** Something that is not as it should be. */
export interface Finding {
  readonly path: string;
  readonly severity: 'damage' | 'remark';
  /** A phrase that fits behind the path. */
  readonly what: string;
}

/** Takes up a finding. */
export type Report = (severity: Finding['severity'], path: string, what: string) => void;

/** The whole lines of a file; a torn last one is a remark. A missing file has none. */
export async function* lines(disk: Disk, path: string, report: Report): AsyncGenerator<string> {
  const found = await disk.stat(path);
  if (found === null) return;
  if (found.kind !== 'file') return report('damage', path, 'is no file');
  let end = 0;
  try {
    for await (const raw of linesFrom(disk, path, 0, found.bytes)) {
      end = raw.end;
      yield new TextDecoder().decode(raw.bytes);
    }
  } catch (thrown) {
    if (!(thrown instanceof DiskError)) throw thrown;
    return report('damage', path, 'cannot be read');
  }
  if (end < found.bytes) report('remark', path, 'ends in a line that was cut short');
}

/** What a file holds, or `undefined` when it is damaged or cannot be read, which is reported. */
export async function sound<T>(report: Report, work: Promise<T>, path?: string): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof DamagedFile) report('damage', thrown.path, `is damaged (${thrown.why})`);
    else if (thrown instanceof DiskError) report('damage', path ?? thrown.path, 'cannot be read');
    else throw thrown;
    return undefined;
  }
}
