import { systemClock } from '@hearth/store/clock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { type HomeVerification, verifyHome } from './verification.ts';

/** Verifies a home of this machine, a real path; `only` names conversations by how their ids begin. */
export function verifyThis(home: string, wanted: { readonly only?: string } = {}): Promise<HomeVerification> {
  return verifyHome({ disk: nodeDisk, clock: systemClock, home, ...wanted });
}
