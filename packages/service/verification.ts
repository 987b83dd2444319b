import { join, relative } from 'node:path';
import { verifyBoard } from '@hearth/board/verification.ts';
import { homeDirectory, isStaged } from '@hearth/conversations/conversation-directory.ts';
import type { Finding } from '@hearth/conversations/finding.ts';
import { verifyConversation } from '@hearth/conversations/verification.ts';
import { ConversationId } from '@hearth/protocol/ids.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { z } from 'zod';

/*
 * The integrity of a whole home, read and never changed, with a service beside it or without one. A service writes while
 * it is read, so what looks damaged is looked at again before it is called so.
 */

/** A finding, its path below the home. */
export interface HomeFinding extends Finding {
  readonly conversation: ConversationId | null;
}

/** What was looked at, and what is damaged of it. */
export interface HomeVerification {
  readonly home: string;
  /** How many were looked at. */
  readonly conversations: number;
  readonly trash: number;
  readonly boards: number;
  readonly findings: readonly HomeFinding[];
}

/** Which home, and whether all of it. */
export interface VerificationOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  /** The home's real path. */
  readonly home: string;
  /** Only the conversations whose ids begin like this. */
  readonly only?: string;
}

/** How often what looks damaged is looked at again, and the milliseconds in between. */
const LOOKS = 4;
const BETWEEN_MS = 150;

const HomeMark = z.looseObject({ format: z.literal(1) });

/** Verifies a home, or those of its conversations that are asked for. */
export async function verifyHome(options: VerificationOptions): Promise<HomeVerification> {
  const { disk, home, only } = options;
  const found: HomeFinding[] = [];
  const add = (conversation: ConversationId | null, findings: readonly Finding[]): void => {
    for (const one of findings) found.push({ ...one, path: relative(home, one.path) || '.', conversation });
  };
  const directory = homeDirectory(home);
  let conversations = 0;
  for (const name of await disk.list(directory.conversations)) {
    const id = ConversationId.safeParse(name).data ?? null;
    const path = join(directory.conversations, name);
    if (only !== undefined && !name.startsWith(only)) continue;
    if (id === null) {
      add(null, isStaged(name) ? [] : [{ path, severity: 'remark', what: 'belongs to no conversation' }]);
      continue;
    }
    conversations += 1;
    add(id, await settled(options, () => verifyConversation(disk, path, id)));
  }
  if (only !== undefined) return { home, conversations, trash: 0, boards: 0, findings: found };
  add(null, await settled(options, () => marked(disk, directory.mark)));
  for (const path of [directory.conversations, directory.trash, join(home, 'boards')])
    add(null, await settled(options, () => isPlace(disk, path)));
  const trash = await disk.list(directory.trash);
  for (const name of trash) {
    add(null, await settled(options, () => verifyConversation(disk, join(directory.trash, name), null)));
  }
  const boards = await disk.list(join(home, 'boards'));
  for (const name of boards) {
    const wrong = await settled(options, async () =>
      (await verifyBoard(disk, join(home, 'boards', name))).map(one => ({
        ...one,
        severity: 'damage' as const,
      })),
    );
    add(null, wrong);
  }
  return { home, conversations, trash: trash.length, boards: boards.length, findings: found };
}

/** What is found once and not at the next look was a file that was just being replaced. */
async function settled(
  { clock }: VerificationOptions,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  let found = await look();
  for (let looks = 1; looks < LOOKS && found.some(one => one.severity === 'damage'); looks += 1) {
    await new Promise<void>(resolve => void clock.after(BETWEEN_MS, resolve));
    found = await look();
  }
  return found;
}

/** What is in the place of a directory holds nothing, whatever it is. */
async function isPlace(disk: Disk, path: string): Promise<readonly Finding[]> {
  const kind = (await disk.stat(path))?.kind ?? 'directory';
  return kind === 'directory' ? [] : [{ path, severity: 'damage', what: 'is no directory' }];
}

async function marked(disk: Disk, path: string): Promise<readonly Finding[]> {
  const bytes = await disk.read(path);
  if (bytes === null)
    return [{ path, severity: 'remark', what: 'is missing, so the home was never wholly made' }];
  try {
    if (HomeMark.safeParse(JSON.parse(new TextDecoder().decode(bytes))).success) return [];
  } catch {
    // Then it is damaged.
  }
  return [{ path, severity: 'damage', what: 'cannot be read' }];
}
