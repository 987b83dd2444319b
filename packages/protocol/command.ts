import { z } from 'zod';
import { Actor } from './actor.ts';
import { Act } from './decision.ts';
import { CommandId, Digest, MessageId, PauseId, RunId, TurnId } from './ids.ts';
import { JsonObject } from './json.ts';
import { Scope } from './scope.ts';
import { Axis, LedgerName } from './spend.ts';
import { Attached, ATTACHED_COUNT } from './text.ts';

/*
 * The bodies of the writing routes. Every one carries a command id made by the client: sending the same id again is
 * the same command and gets the first receipt. `actor` says who asks; the service takes it as given, since whoever
 * holds the token is the home's owner.
 */

const id = { commandId: CommandId, actor: Actor };

/** POST `/conversations/{c}/messages`. An empty text is the request to be greeted and is accepted only before a run has begun. */
export const SendMessage = z.object({
  ...id,
  text: z.string(),
  delivery: z.enum(['steer', 'queue', 'reject']).default('queue'),
  /** The checkout root of the surface, an absolute path. */
  workspace: z.string().exactOptional(),
  /** Vars of the run that the message begins; refused when one has begun. */
  vars: JsonObject.exactOptional(),
  /** A preset of the bot, by its name: its values lie over the defaults and below `vars`; refused when a run has begun. */
  preset: z.string().min(1).exactOptional(),
  /** Files that were uploaded to the conversation; one that is an attachment of the bot only with the message that begins a run. */
  attachments: z.array(Attached).max(ATTACHED_COUNT).exactOptional(),
  /** The view's `revision`; a mismatch is refused with `revision_conflict`. */
  expects: z.int().nonnegative().exactOptional(),
});
export type SendMessage = z.infer<typeof SendMessage>;

/** DELETE `/conversations/{c}/messages/{m}`: takes a queued message back. */
export const Unsend = z.object({ ...id, message: MessageId });
export type Unsend = z.infer<typeof Unsend>;

/** POST `/conversations/{c}/decisions`. `pause` is accepted as `p52` and as `c_…/p52`. */
export const Decide = z.object({
  ...id,
  pause: PauseId,
  artifact: z.string().exactOptional(),
  version: z.int().positive().exactOptional(),
  digest: Digest.exactOptional(),
  act: Act,
});
export type Decide = z.infer<typeof Decide>;

/** POST `/conversations/{c}/interrupt`. */
export const Interrupt = z.object({ ...id, turn: TurnId });
export type Interrupt = z.infer<typeof Interrupt>;

/** POST `/conversations/{c}/budget`: raises one limit; `to` is absolute and in the axis' unit (ms, USD, tokens, count). */
export const Raise = z.object({ ...id, ledger: LedgerName, axis: Axis, to: z.number().positive() });
export type Raise = z.infer<typeof Raise>;

/** POST `/conversations/{c}/rules/revoke`: takes back what was allowed or denied for good. */
export const RevokeRule = z.object({ ...id, rule: z.string().min(1) });
export type RevokeRule = z.infer<typeof RevokeRule>;

/** POST `/conversations/{c}/runs/{r}/pause`, `/resume` and `/cancel`. */
export const OperateRun = z.object({ ...id, run: RunId });
export type OperateRun = z.infer<typeof OperateRun>;

/** POST `/conversations`. */
export const CreateConversation = z.object({
  ...id,
  title: z.string().min(1).max(256).exactOptional(),
  scope: Scope.default({ kind: 'global' }),
  bot: z.string().exactOptional(),
  /** The preset of that bot with which its runs begin, unless a message names another. */
  preset: z.string().min(1).exactOptional(),
});
export type CreateConversation = z.infer<typeof CreateConversation>;

/** PATCH `/conversations/{c}`. */
export const ChangeConversation = z.object({
  ...id,
  title: z.string().min(1).max(256).exactOptional(),
  pinned: z.boolean().exactOptional(),
  bot: z.string().exactOptional(),
  /** The backend or the model of what leaves it open here, from the next turn on; `auto` takes it back. */
  model: z.string().min(1).max(200).exactOptional(),
});
export type ChangeConversation = z.infer<typeof ChangeConversation>;

/** POST `…/close` and `…/reset`. */
export const Bare = z.object(id);
export type Bare = z.infer<typeof Bare>;
