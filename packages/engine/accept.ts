import type { Values } from '@hearth/language/value.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { CommandId, Digest, Instant, MessageId, TurnId } from '@hearth/protocol/ids.ts';
import { blocks, isDrafting } from '@hearth/protocol/pause.ts';
import type { Did, Refusal } from '@hearth/protocol/receipt.ts';
import type { Axis, LedgerName } from '@hearth/protocol/spend.ts';
import type { Delivery } from '@hearth/protocol/view.ts';
import { type Attachments, type BroughtFile, runAttachments } from './attached-files.ts';
import { limitOf } from './budget.ts';
import type { EntryBody } from './entry.ts';
import { givenVars, presetVars } from './run-vars.ts';
import type { Plan } from './runnable.ts';
import type { QueuedMessage, State } from './state.ts';
import { steerable } from './steer.ts';
import { takenUp } from './taking-up.ts';

/*
 * Judging of the commands that are not decisions. Like the judge, these are pure: they propose an entry or refuse,
 * and change nothing.
 */

/** What a receipt will say, or how the state tells it to which the command's entry leads. */
export type WillDo = Did | ((after: State) => Did);

/** A refusal, or the entry that the command becomes and what its receipt will say. */
export type Judged = { readonly refused: Refusal } | { readonly entry: EntryBody; readonly did: WillDo };

/** What was done, in the state that it has led to. */
export function didIn(did: WillDo, after: State): Did {
  return typeof did === 'function' ? did(after) : did;
}

/** Bounds of the queue: it is part of the state, which every snapshot writes whole. */
const QUEUE_COUNT = 100;
const QUEUE_CHARS = 4 * 1024 * 1024;

const refuse = (code: Refusal['code'], message: string): Judged => ({ refused: { code, message } });

/** Judges a message. It is always safe: it waits in the queue and can never answer, confirm or choose anything. */
export function judgeMessage(
  plan: Plan,
  state: State,
  sent: {
    readonly text: string;
    readonly delivery: Delivery | 'reject';
    readonly workspace: string | null;
    readonly by: Actor;
    readonly commandId: CommandId;
    readonly planDigest: Digest;
    readonly at: Instant;
    readonly vars?: Values;
    /** Its values lie over the defaults, and `vars` over them. */
    readonly preset?: string;
    /** Files that come with it. */
    readonly files?: readonly BroughtFile[];
    /** The bundle's own files, for attachments that nobody gave. */
    readonly defaults?: Attachments;
  },
): Judged {
  const { machine, counters, inbox } = state;
  const opening = machine.run === null && inbox.length === 0 && plan.seedVar !== null;
  if (sent.text.trim() === '' && !opening)
    return refuse('empty_message', 'The message is empty; write something to send.');
  const busy = machine.turn !== null || inbox.length > 0 || machine.pauses.some(blocks);
  if (sent.delivery === 'reject' && busy) {
    return refuse(
      'turn_active',
      'A turn is under way; wait for it, interrupt it, or send with delivery "queue".',
    );
  }
  const held = inbox.reduce((bytes, queued) => bytes + queued.text.length, 0);
  const full = inbox.length >= QUEUE_COUNT || held + sent.text.length > QUEUE_CHARS;
  // What takes up interrupted work does not wait; a full queue could not be worked off without it.
  if (full && takenUp(plan, state, sent.workspace) === null) {
    return refuse(
      'queue_full',
      `${inbox.length} messages wait already; answer what is open, or take some back, and send again.`,
    );
  }
  const given = givenVars(plan, sent.vars ?? {});
  if (!given.ok) return refuse('invalid_vars', given.why);
  const directory = sent.workspace ?? machine.workspace ?? '';
  const preset = sent.preset === undefined ? null : presetVars(plan, sent.preset, directory);
  if (preset?.ok === false) return refuse('invalid_vars', preset.why);
  const gives = sent.vars !== undefined || preset !== null;
  if (gives && (machine.run?.status === 'active' || inbox.length > 0)) {
    return refuse(
      'wrong_state',
      'Only the message that begins a run may give it vars or a preset, and a run has begun.',
    );
  }
  const files = judgeFiles(plan, state, sent.files ?? [], sent.defaults ?? {});
  if ('refused' in files) return files;
  const message: QueuedMessage = {
    id: `m${counters.message + 1}`,
    turn: `t${counters.turn + 1}`,
    text: sent.text,
    delivery: sent.delivery === 'steer' ? 'steer' : 'queue',
    by: sent.by,
    at: sent.at,
    workspace: sent.workspace,
    commandId: sent.commandId,
    ...(gives ? { vars: { ...preset?.vars, ...given.vars } } : {}),
    ...files,
  };
  // What becomes of it is for the machine to say, and working that out here would take as long as doing it.
  const did = (after: State): Did => ({
    turn: message.turn,
    message: message.id,
    as: wayOf(plan, after, message.id),
  });
  return { entry: { is: 'accepted', message, plan: sent.planDigest }, did };
}

/** What became of a message that was just accepted. */
function wayOf(plan: Plan, after: State, message: MessageId): 'started' | 'steering' | 'queued' {
  const isIt = (queued: QueuedMessage): boolean => queued.id === message;
  if (!after.inbox.some(isIt)) return 'started';
  return steerable(plan, after).some(isIt) ? 'steering' : 'queued';
}

/** What a message has of files: those of a run only where it begins one. */
function judgeFiles(
  plan: Plan,
  { machine, inbox }: State,
  brought: readonly BroughtFile[],
  defaults: Attachments,
): { readonly refused: Refusal } | Pick<QueuedMessage, 'files' | 'attachments'> {
  const files = brought.length === 0 ? {} : { files: brought.map(({ as: _name, ...file }) => file) };
  if (machine.run?.status === 'active' || inbox.length > 0) {
    const named = brought.find(({ as }) => as !== undefined);
    if (named === undefined) return files;
    const refused = {
      code: 'wrong_state',
      message: `Only the message that begins a run may give it "${named.as ?? ''}", and a run has begun.`,
    } as const;
    return { refused };
  }
  const given = runAttachments(plan, brought, machine.run?.attachments ?? {}, defaults);
  if (!given.ok) return { refused: { code: 'invalid_attachment', message: given.why } };
  return Object.keys(given.attachments).length === 0 ? files : { ...files, attachments: given.attachments };
}

/** Judges taking a queued message back. One that is on its way to the running turn cannot be. */
export function judgeUnsend(plan: Plan, state: State, message: MessageId, by: Actor): Judged {
  const queued = state.inbox.find(candidate => candidate.id === message);
  if (steerable(plan, state).some(offered => offered.id === message)) {
    return refuse(
      'already_taken',
      `Message ${message} is on its way to the running turn; it cannot be taken back any more.`,
    );
  }
  if (queued !== undefined)
    return { entry: { is: 'unsent', message, by }, did: { message, turn: queued.turn, as: 'cancelled' } };
  return Number(message.slice(1)) > state.counters.message
    ? refuse('unknown_message', `There is no message ${message} in this conversation.`)
    : refuse(
        'already_taken',
        `Message ${message} is not queued any more; it was already taken up or taken back.`,
      );
}

/** Judges an interrupt of a queued, running or waiting turn. */
export function judgeInterrupt(state: State, turn: TurnId, by: Actor): Judged {
  const { machine, inbox } = state;
  const queued = inbox.some(message => message.turn === turn);
  if (machine.turn?.id !== turn && !queued) {
    return refuse(
      'unknown_turn',
      `Turn ${turn} is neither running nor queued; there is nothing to interrupt.`,
    );
  }
  const recovery = queued ? undefined : machine.pauses.find(pause => pause.kind === 'recovery');
  const works =
    machine.run?.tokens.some(({ stage }) => stage.is === 'running' || stage.is === 'parked') ?? false;
  const card = machine.pauses.find(pause => pause.kind === 'card' && !isDrafting(pause));
  if (!queued && card !== undefined && !works) {
    return refuse(
      'wrong_state',
      `Turn ${turn} waits at ${card.id} for a decision, and nothing runs: choose one of its actions there.`,
    );
  }
  if (recovery !== undefined && !works) {
    return refuse(
      'wrong_state',
      `Turn ${turn} is stopped already: decide at ${recovery.id} how it goes on, or stop it there.`,
    );
  }
  return { entry: { is: 'interrupted', turn, by }, did: { turn, as: 'stopped' } };
}

/** Judges taking back what was allowed or denied for good. */
export function judgeRevoke(state: State, rule: string, by: Actor, plan: Digest): Judged {
  if (!state.rules.some(kept => kept.rule === rule)) {
    const kept = state.rules.map(one => one.rule).join(', ');
    return refuse('unknown_rule', `No rule "${rule}" is kept here; there is: ${kept || 'none'}.`);
  }
  return { entry: { is: 'revoked', rule, by, plan }, did: {} };
}

/** Judges the raise of a limit: absolute, and upwards only. */
export function judgeRaise(
  plan: Plan,
  state: State,
  to: { readonly ledger: LedgerName; readonly axis: Axis; readonly to: number; readonly by: Actor },
): Judged {
  const limit = limitOf(plan, state.ledgers, to.ledger, to.axis);
  if (limit === undefined)
    return refuse('wrong_state', `The ${to.ledger} budget has no limit for ${to.axis}.`);
  if (to.to <= limit)
    return refuse(
      'wrong_state',
      `The ${to.ledger} limit for ${to.axis} is ${limit} already; raise it above that.`,
    );
  return { entry: { is: 'raised', ledger: to.ledger, axis: to.axis, to: to.to, by: to.by }, did: {} };
}
