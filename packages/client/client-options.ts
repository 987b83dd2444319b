import type { Actor } from '@hearth/protocol/actor.ts';
import type { CommandId } from '@hearth/protocol/ids.ts';
import type { Fetch } from './request.ts';
import type { Timers } from './timers.ts';

/** What a client is made with. */
export interface ClientOptions {
  /** As in `http://127.0.0.1:4310`. */
  readonly address: string;
  /** The home's bearer token; left out where a session cookie stands for it. */
  readonly token?: string;
  /** What kind of surface this is: `console`, `cli`, `studio`… */
  readonly surface: string;
  /** Who uses it, as other surfaces will show it. */
  readonly name: string;
  /** `caller` for a script; a person otherwise. */
  readonly kind?: Actor['kind'];
  readonly fetch?: Fetch;
  readonly timers?: Timers;
  /** Makes an id that was never used before, 16 to 64 letters, digits, `_` or `-`. */
  readonly newCommandId: () => CommandId;
}
