import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';

/** Ports that the rehearsal needs. */
export interface RehearsalPorts {
  readonly disk: Disk;
  readonly ids: Ids;
}

/** Signs the transcript; rises when a session file is no longer understood. */
export const FINGERPRINT = 'rehearsal-1';
