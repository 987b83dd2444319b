import type { Board } from '@hearth/board/board.ts';
import { boardKey, type Boards } from '@hearth/board/boards.ts';
import { beginning, briefOf } from '@hearth/board/brief.ts';
import * as claim from '@hearth/board/claim.ts';
import type { Action, Held } from '@hearth/board/dispatch.ts';
import { DISPATCHER, type Stamp } from '@hearth/board/ticket-change.ts';
import { LaneError } from '@hearth/conversations/lane-error.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import { RegistryError } from '@hearth/conversations/registry-error.ts';
import { BotError, type Bots } from '@hearth/engine/bot.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { CommandId, ConversationId } from '@hearth/protocol/ids.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import {
  giveUpWords,
  outcomeWords,
  parkWords,
  retryWords,
  setAsideWords,
  unfitWords,
} from './dispatch-words.ts';

/*
 * The steps of the dispatcher, one for each action. Guarantees: a step that touches the board is one write of one ticket
 * under the fence of its claim; a step that touches a conversation is one command whose id follows from the board, the
 * ticket, its round and the number of the attempt. So a step that is taken again, after a crash anywhere, changes nothing
 * that it had changed.
 */

/** What the steps work on, and for whom. */
export interface StepOptions {
  readonly boards: Boards;
  readonly conversations: Conversations;
  readonly bots: Pick<Bots, 'load'>;
  readonly clock: Clock;
  /** Names this dispatcher since it started. */
  readonly holder: string;
}

/** What the settings say of the moment. */
export interface StepLimits {
  readonly attempts: number;
  readonly leaseMs: number;
}

/** A program that a person has set to work; it never decides what a person is asked. */
const ACTOR: Actor = { kind: 'caller', name: DISPATCHER, surface: 'service' };
const TITLE = 200;

/** Carries out one action at a time. A step that comes too late for its claim changes nothing. */
export class DispatchSteps {
  readonly #options: StepOptions;

  constructor(options: StepOptions) {
    this.#options = options;
  }

  /** Takes one step. Rejects with `BoardError`, code `claim_lost`, when the ticket is not its own any more. */
  async take(action: Action, { attempts, leaseMs }: StepLimits): Promise<void> {
    const { holder, clock } = this.#options;
    const board = await this.#options.boards.open(action.workspace);
    const now = clock.now();
    const lease = { holder, until: now + leaseMs };
    const stamp: Stamp = { at: instant(clock), by: DISPATCHER };
    const edit = async (change: (ticket: Ticket) => Ticket): Promise<void> => {
      await board.edit(action.ticket.id, change, DISPATCHER);
    };
    switch (action.do) {
      case 'claim':
        return edit(ticket => claim.claimed(ticket, lease, stamp));
      case 'take_over':
        return edit(ticket => claim.takenOver(ticket, lease, now, stamp));
      case 'renew':
        return edit(ticket => claim.renewed(ticket, fenceOf(action), lease.until));
      case 'open':
        return this.#open(board, action);
      case 'send':
        return this.#send(board, action);
      case 'again':
        return this.#again(action);
      case 'park':
        return edit(ticket => claim.parked(ticket, fenceOf(action), action.pause, parkWords(action), stamp));
      case 'resume':
        return edit(ticket => claim.resumed(ticket, fenceOf(action), stamp));
      case 'conclude':
        return edit(ticket => claim.concluded(ticket, fenceOf(action), outcomeWords(action), stamp));
      case 'retry': {
        const failed = { ...action.failure, comment: retryWords(action, attempts) };
        return edit(ticket => claim.failedOnce(ticket, fenceOf(action), failed, action.at, stamp));
      }
      case 'give_up': {
        const failed = { ...action.failure, comment: giveUpWords(action) };
        return edit(ticket => claim.gaveUp(ticket, fenceOf(action), failed, stamp));
      }
      case 'set_aside':
        return edit(ticket => claim.setAside(ticket, fenceOf(action), setAsideWords(action), stamp));
      case 'let_go':
        await this.#interrupt(action.conversation);
        return edit(ticket => claim.letGo(ticket, fenceOf(action), stamp));
      default: {
        const never: never = action;
        return never;
      }
    }
  }

  /** Lets a claim run out at once, so that the next start need not wait for it. */
  async leave({ workspace, ticket, ...held }: Held): Promise<void> {
    const board = await this.#options.boards.open(workspace);
    const fence = fenceOf({ workspace, ticket, ...held });
    await board.edit(ticket.id, one => claim.renewed(one, fence, this.#options.clock.now()), DISPATCHER);
  }

  /** Makes the conversation of the round, or finds the one that was made for it before. */
  async #open(board: Board, held: Held): Promise<void> {
    const { ticket, workspace, dispatch } = held;
    const command = {
      commandId: commandOf(held, `r${dispatch.round}`),
      actor: ACTOR,
      title: beginning(`${ticket.id} ${dispatch.title}`, TITLE),
      scope: { kind: 'workspace', path: workspace },
      bot: dispatch.bot,
    } as const;
    try {
      const { view } = await this.#options.conversations.create(command, 'dispatch');
      await board.edit(ticket.id, one => claim.opened(one, fenceOf(held), view.id), DISPATCHER);
    } catch (thrown) {
      if (!(thrown instanceof BotError) && !(thrown instanceof RegistryError)) throw thrown;
      await this.#unfit(board, held, thrown.message);
    }
  }

  async #send(board: Board, action: Extract<Action, { readonly do: 'send' }>): Promise<void> {
    const { ticket, dispatch, conversation, again } = action;
    const vars = { ...(await this.#ownVars(dispatch.bot)), ...ticket.botArgs };
    const command = {
      commandId: commandOf(action, `r${dispatch.round}${again ? `f${dispatch.failures}` : 'm'}`),
      actor: ACTOR,
      text: briefOf(ticket),
      delivery: 'queue',
      ...(Object.keys(vars).length === 0 ? {} : { vars }),
    } as const;
    try {
      const lane = await this.#options.conversations.lane(conversation);
      const { refused, replayed } = await lane.send(command);
      // It was sent, and somebody has begun the conversation anew since; or what it says was changed since it was sent.
      if (replayed || refused?.code === 'command_conflict') await this.#stoppedElsewhere(board, action);
      else if (refused !== undefined) await this.#unfit(board, action, refused.message);
    } catch (thrown) {
      if (!(thrown instanceof LaneError) || !BOT_CODES.has(thrown.code)) throw thrown;
      await this.#unfit(board, action, thrown.message);
    }
  }

  /** What the bot says of its vars; a bot that cannot be loaded says so when the message is sent. */
  async #ownVars(bot: string): Promise<Values> {
    const loaded = await this.#options.bots.load(bot).catch(() => null);
    return loaded?.dispatchVars ?? {};
  }

  async #again(action: Extract<Action, { readonly do: 'again' }>): Promise<void> {
    const { dispatch, conversation, pause } = action;
    const lane = await this.#options.conversations.lane(conversation);
    // A refusal means that it went on meanwhile, which the next look tells.
    await lane.decide({
      commandId: commandOf(action, `r${dispatch.round}f${dispatch.failures}`),
      actor: ACTOR,
      pause,
      act: { do: 'answer', option: 'again' },
    });
  }

  /** What works on a ticket that a person took away is interrupted; it waits in its conversation. */
  async #interrupt(conversation: ConversationId | null): Promise<void> {
    if (conversation === null) return;
    const lane = await this.#options.conversations.lane(conversation).catch(() => null);
    const turn = lane?.view().turn;
    if (lane === null || turn?.status !== 'running') return;
    const commandId = `dispatch-let-go-${turn.id}-${conversation.slice(2)}`.slice(0, 64);
    await lane.interrupt({ commandId, actor: ACTOR, turn: turn.id }).catch(() => undefined);
  }

  async #stoppedElsewhere(board: Board, held: Held): Promise<void> {
    const stamp = { at: instant(this.#options.clock), by: DISPATCHER };
    const words = setAsideWords({ do: 'set_aside', ...held, why: 'stopped' });
    await board.edit(held.ticket.id, one => claim.setAside(one, fenceOf(held), words, stamp), DISPATCHER);
  }

  async #unfit(board: Board, held: Held, detail: string): Promise<void> {
    const stamp = { at: instant(this.#options.clock), by: DISPATCHER };
    await board.edit(
      held.ticket.id,
      one => claim.setAside(one, fenceOf(held), unfitWords(detail), stamp),
      DISPATCHER,
    );
  }
}

/** The faults of a bot, as a lane tells them. */
const BOT_CODES: ReadonlySet<string> = new Set(['unknown_bot', 'broken_bot', 'unsupported_bot']);

function fenceOf({ claim: { holder, epoch } }: Held): claim.Fence {
  return { holder, epoch };
}

/** A command of the dispatcher's: the same for the same step of the same ticket, whoever takes it and when. */
function commandOf({ workspace, ticket }: Held, step: string): CommandId {
  return `dispatch-${boardKey(workspace)}-${ticket.id}-${step}`;
}
