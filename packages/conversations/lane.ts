/**
 * One conversation, as everybody who works with it in this process sees it.
 *
 * - A command is judged and applied in one synchronous stretch, against everything accepted before it; its answer, its
 *   events and its frames go out when it is durable, in the same order for everybody.
 * - Every command may be sent again: the same id and payload give the first receipt, another payload `command_conflict`.
 *   A refusal changes nothing and may be tried again under the same id.
 * - Whoever attaches gets every event after the cursor once and in order, or a typed recovery.
 * - After a failed write everybody who is attached is told and let go, and the conversation is opened anew, again and
 *   again until it can be written to; what was not acknowledged was not done, and what ran waits for a person.
 */
import type { Judged } from '@hearth/engine/accept.ts';
import { judgeInterrupt, judgeRaise, judgeRevoke, judgeUnsend } from '@hearth/engine/accept.ts';
import { judge } from '@hearth/engine/machine.ts';
import { judgeCancel, judgePause, judgeResume } from '@hearth/engine/operate.ts';
import type { TicketLook, WatchedTicket } from '@hearth/engine/watched.ts';
import type { ArtifactRef } from '@hearth/protocol/artifact.ts';
import type {
  Bare,
  ChangeConversation,
  Decide,
  Interrupt,
  OperateRun,
  Raise,
  RevokeRule,
  SendMessage,
  Unsend,
} from '@hearth/protocol/command.ts';
import type { ConversationId, Digest } from '@hearth/protocol/ids.ts';
import type { Refusal, Reply } from '@hearth/protocol/receipt.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { Serial } from '@hearth/store/serial.ts';
import { broughtFiles, ownFiles } from './attached-files.ts';
import { modelNotice, withModel } from './chosen-model.ts';
import { CurrentOpening } from './current-opening.ts';
import { notice } from './driver.ts';
import { type Command, LaneCommands, receiptOf } from './lane-commands.ts';
import { known } from './lane-error.ts';
import { missingSecrets } from './missing-secrets.ts';
import type { LaneOptions } from './opening.ts';
import { resetTo } from './reset.ts';
import { changesFrom } from './retelling.ts';
import { judgeSent } from './sent-message.ts';

const refuse = (code: Refusal['code'], message: string): Judged => ({ refused: { code, message } });

/** The one through which everything that happens to a conversation goes; got from `Lanes`, never opened twice. */
export class Lane extends LaneCommands {
  readonly #changes = new Serial();

  /**
   * Opens a conversation and takes up what a stop left; `null` when there is none. Rejects with `DamagedFile` when it
   * cannot be read.
   */
  static async open(options: LaneOptions, id: ConversationId): Promise<Lane | null> {
    const current = await CurrentOpening.first(options, id).catch(async (thrown: unknown) => {
      await options.store.release(id);
      throw thrown;
    });
    return current && new Lane(options, id, current);
  }

  /** Accepts a message: it starts a turn, joins one, or waits. */
  async send(command: SendMessage): Promise<Reply> {
    const { attachments = [] } = command;
    const { driver: present, writer: now } = await this.current.writable();
    await known(present.load());
    const { blobs } = this.options;
    const files = await known(broughtFiles(blobs, this.id, attachments));
    const missing = await known(
      missingSecrets(present.loaded, now.state, this.options.surroundings?.secrets),
    );
    const defaults = await known(ownFiles(blobs, this.id, present.loaded, now.state));
    return this.command('message', command, opening =>
      judgeSent(opening, command, { clock: this.options.clock, files, defaults, missing }),
    );
  }

  /** Keeps the bytes of a file that a message is to bring. Nothing is told of them before one does. */
  upload(bytes: Uint8Array): Promise<Digest> {
    return this.guarded(async () => {
      await this.current.writable();
      return known(this.options.blobs.put(this.id, bytes));
    });
  }

  /** Takes a queued message back. */
  unsend(command: Unsend): Promise<Reply> {
    return this.command('unsend', command, ({ writer }) =>
      judgeUnsend(writer.plan, writer.state, command.message, command.actor),
    );
  }

  /** Answers one pause. */
  async decide(command: Decide): Promise<Reply> {
    const altered = await this.guarded(() => this.#altered(command));
    return this.command('decision', command, ({ writer, driver }) =>
      judge(writer.state.machine.run ? writer.plan : driver.bot.plan, writer.state, command, altered),
    );
  }

  /** The version that the card of a decision shows, when its text is another where it is stored. */
  async #altered({ pause }: Decide): Promise<ArtifactRef | null> {
    const { writer } = await this.current.ready();
    const card = writer.durable.state.machine.pauses.find(open => open.id === pause);
    if (card?.kind !== 'card') return null;
    const { shown } = card;
    const stored = await known(this.options.store.artifact(this.id, shown.artifact, shown.version));
    return stored !== null && sha256(stored.body) === shown.digest ? null : shown;
  }

  /** Interrupts a queued, running or waiting turn. */
  interrupt(command: Interrupt): Promise<Reply> {
    return this.command('interrupt', command, ({ writer }) =>
      judgeInterrupt(writer.state, command.turn, command.actor),
    );
  }

  /** Takes back what a person allowed or denied for good. */
  revoke(command: RevokeRule): Promise<Reply> {
    return this.command('revoke', command, ({ writer, driver }) =>
      judgeRevoke(writer.state, command.rule, command.actor, driver.bot.digest),
    );
  }

  /** Raises one limit of one ledger. */
  raise(command: Raise): Promise<Reply> {
    const { ledger, axis, to, actor: by } = command;
    return this.command('raise', command, ({ writer }) => {
      if (writer.state.machine.run === null) {
        return refuse('wrong_state', 'No run has begun here yet, so there is no budget to raise.');
      }
      return judgeRaise(writer.plan, writer.state, { ledger, axis, to, by });
    });
  }

  /** Pauses a run before its next step, lets it go on, or gives it up. */
  operate(what: 'pause' | 'resume' | 'cancel', command: OperateRun): Promise<Reply> {
    const { run, actor: by } = command;
    return this.command(what, command, ({ writer }) => {
      if (what === 'pause') return judgePause(writer.state, run, by);
      if (what === 'cancel') return judgeCancel(writer.state, run, by);
      return judgeResume(writer.state.machine.run ? writer.plan : null, writer.state, run, by);
    });
  }

  /** Renames, pins or gives the conversation another bot. The record is first; its events follow. */
  change(command: ChangeConversation): Promise<Reply> {
    return this.alone(() =>
      this.once(command, async () => {
        const opening = await this.current.writable();
        const repeated = await this.repeated(opening, 'change', command);
        if (repeated) return repeated;
        const { writer, driver } = opening;
        const before = writer.record;
        const { title = before.title, pinned = before.pinned, bot = before.bot } = command;
        if (bot !== before.bot && this.active) {
          const message = 'A turn is queued or running; wait for it or interrupt it, then change the bot.';
          return this.refused(writer, 'change', command, { code: 'active', message });
        }
        const record = { ...withModel(before, command.model), title, pinned, bot };
        await known(writer.update(record));
        const receipt = receiptOf('change', command, {});
        const made = await opening.accept(
          null,
          [...changesFrom(before, record), ...modelNotice(before, record)],
          receipt,
        );
        if (bot !== before.bot) {
          await known(driver.load());
          driver.replan();
          driver.kick();
        }
        return { receipt: made, replayed: false, view: this.view() };
      }),
    );
  }

  /**
   * Begins anew: another epoch with a fresh run and a fresh session, the same id, title and scope. What was open is
   * open no longer; the earlier epoch is kept. Refused while a turn is queued or running.
   */
  reset(command: Bare): Promise<Reply> {
    return this.alone(() =>
      this.once(command, async () => {
        const opening = await this.current.writable();
        const repeated = await this.repeated(opening, 'reset', command);
        if (repeated) return repeated;
        this.current.check();
        if (opening.failure) throw opening.failure;
        if (this.active) {
          const message = 'A turn is queued or running; wait for it or interrupt it, then reset.';
          return this.refused(opening.writer, 'reset', command, { code: 'active', message });
        }
        opening.retire();
        // Whoever comes meanwhile waits for the new epoch.
        const receipt = await this.current.replaced(() =>
          resetTo(this.options, opening, receiptOf('reset', command, {})),
        );
        return { receipt, replayed: false, view: this.view() };
      }),
    );
  }

  /** The reply to a command that was accepted before; `null` when none of that id was. */
  async replay<C extends Command>(name: string, command: C): Promise<Reply | null> {
    return this.repeated(await this.current.ready(), name, command);
  }

  /** Writes a notice into the log. */
  async tell(code: string, severity: 'info' | 'warning' | 'error', text: string): Promise<void> {
    const { writer } = await this.current.writable();
    await known(writer.commit([], [notice(code, severity, text)]));
  }

  /** The tickets that are watched, as they were told of last. */
  watched(): readonly WatchedTicket[] {
    return this.current.opening.writer.durable.state.watched;
  }

  /** Tells what is new of the watched tickets; what was told before is not told again. */
  async look(tickets: readonly TicketLook[]): Promise<void> {
    const { writer } = await this.current.writable();
    if (writer.state.machine.run !== null) await known(writer.commit([{ is: 'looked', tickets }]));
  }

  /** Makes this the default conversation, or no longer. */
  mark(isDefault: boolean): Promise<void> {
    return this.alone(() =>
      this.guarded(async () => {
        const { writer } = await this.current.writable();
        await known(writer.update({ ...writer.record, default: isDefault }));
        await known(writer.commit([]));
      }),
    );
  }

  /** Does something while nobody changes the record or resets. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  /** Resolves when nothing runs, nothing is ready, and everything is written. */
  async settled(): Promise<void> {
    const { driver, writer } = this.current.opening;
    await driver.settled();
    await writer.still();
  }

  /** Whether a turn is queued or running, which keeps the conversation from being closed. */
  get active(): boolean {
    const { turn } = this.current.opening.writer.state.machine;
    return turn?.status === 'running' || this.current.opening.writer.state.inbox.length > 0;
  }

  /**
   * Stops what runs, without an outcome, and gives the files back. Whatever is still asked rejects with `closed`, or with
   * `unknown_conversation` once the conversation has left, which `leaves` tells.
   */
  async close(leaves: Promise<boolean> | null = null): Promise<void> {
    await this.current.close(leaves);
    await this.options.store.release(this.id);
  }
}
