import type { Boards } from '@hearth/board/boards.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import type { ServiceStatus } from '@hearth/protocol/status.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Described } from './api/description.ts';
import type { BundleBots } from './bots.ts';
import type { Models } from './models.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Logins } from './login.ts';
import type { Once } from './once.ts';
import type { PresenceLog } from './presence.ts';
import type { Redactor } from './secrets.ts';
import type { Streams } from './sse.ts';

/** What the routes work with; made once by the composition root. */
export interface Wiring {
  readonly home: string;
  readonly disk: Disk;
  readonly conversations: Conversations;
  readonly boards: Boards;
  readonly bots: BundleBots;
  readonly dispatcher: Pick<Dispatcher, 'status' | 'turn'>;
  readonly streams: Streams;
  /** Tells how conversations are. */
  readonly presence: Pick<PresenceLog, 'watch'>;
  /** Carries out commands that name no conversation once. */
  readonly once: Once;
  readonly logins: Logins;
  readonly models: Models;
  /** Takes secrets out of what leaves the home as a file. */
  readonly redactor: Redactor;
  /** Makes sure that there is a studio to sign in to. Rejects with `ProblemError`. */
  prepareStudio(): Promise<void>;
  status(): Promise<ServiceStatus>;
  /** The API in OpenAPI. */
  description(): Promise<Described>;
  /** Gives the home another token: the old one is refused at once, and what was opened with it ends. */
  rotate(): Promise<void>;
  /** Begins the stop, without waiting for turns if it shall be `now`; the answer to whoever asked still goes out. */
  stop(now: boolean): void;
}
