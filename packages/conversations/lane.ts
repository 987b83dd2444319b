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
import { judgeRepeat } from '@hearth/decisions/judge.ts';
import {
  type Judged,
  judgeInterrupt,
  judgeMessage,
  judgeRaise,
  judgeRevoke,
  judgeUnsend,
} from '@hearth/engine/accept.ts';
import { judge } from '@hearth/engine/machine.ts';
import { judgeCancel, judgePause, judgeResume } from '@hearth/engine/operate.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { ArtifactRef, ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { AuditLine } from '@hearth/protocol/audit.ts';
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
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { CommandId, ConversationId, Digest, RunId } from '@hearth/protocol/ids.ts';
import type { Did, Receipt, Refusal, Reply } from '@hearth/protocol/receipt.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { MESSAGE_LIMIT } from '@hearth/protocol/text.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { instant } from '@hearth/store/clock.ts';
import type { TicketLook, WatchedTicket } from '@hearth/engine/watched.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { KeyedSerial } from '@hearth/store/keyed-serial.ts';
import { Serial } from '@hearth/store/serial.ts';
import { broughtFiles, ownFiles } from './attached-files.ts';
import { missingSecrets } from './missing-secrets.ts';
import { Attachment } from './attachment.ts';
import { auditNote } from './audit-note.ts';
import { modelNotice, withModel } from './chosen-model.ts';
import { CurrentOpening } from './current-opening.ts';
import { notice } from './driver.ts';
import { known } from './lane-error.ts';
import type { LaneOptions, Opening } from './opening.ts';
import { payloadOf } from './payload.ts';
import type { RunTrace } from './ports.ts';
import { resetTo } from './reset.ts';
import { changesFrom } from './retelling.ts';
import { outsidePattern } from './var-patterns.ts';
import type { Writer } from './writer.ts';

/** What every command carries. */
interface Command {
  readonly commandId: CommandId;
  readonly actor: Actor;
}

const refuse = (code: Refusal['code'], message: string): Judged => ({ refused: { code, message } });

export class Lane {
  readonly id: ConversationId;
  readonly #options: LaneOptions;
  readonly #changes = new Serial();
  /** Commands of one id follow one another, so that the second finds what became of the first. */
  readonly #under = new KeyedSerial<CommandId>();
  readonly #current: CurrentOpening;

  private constructor(options: LaneOptions, id: ConversationId, current: CurrentOpening) {
    this.id = id;
    this.#options = options;
    this.#current = current;
  }

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

  /** Waits while the conversation is being opened anew. Rejects with `LaneError` when it is closed. */
  async ready(): Promise<void> {
    await this.#current.ready();
  }

  /** The state after the last durable commit, and why nothing can be saved if that is so. */
  view(): ConversationView {
    return this.#current.view();
  }

  /** Accepts a message: it starts a turn, joins one, or waits. */
  async send(command: SendMessage): Promise<Reply> {
    const { text, delivery, expects, workspace, actor, commandId, vars, preset, attachments = [] } = command;
    const { driver: present, writer: now } = await this.#current.writable();
    await known(present.load());
    const { blobs } = this.#options;
    const files = await known(broughtFiles(blobs, this.id, attachments));
    const missing = await known(
      missingSecrets(present.loaded, now.state, this.#options.surroundings?.secrets),
    );
    const defaults = await known(ownFiles(blobs, this.id, present.loaded, now.state));
    return this.#command('message', command, ({ writer, driver }) => {
      if (Buffer.byteLength(text) > MESSAGE_LIMIT) {
        return refuse(
          'too_large',
          'The message is larger than 1 MiB; shorten it, or name a file that holds it.',
        );
      }
      if (expects !== undefined && expects !== writer.last) {
        return refuse('revision_conflict', 'Something happened here meanwhile; look at it and send again.');
      }
      if ('missing' in files) return refuse('invalid_attachment', files.missing);
      const { scope } = writer.record;
      const { bot } = driver;
      driver.replan();
      const { run } = writer.state.machine;
      const digest = run?.status === 'active' ? run.plan : bot.digest;
      const begins = run?.status !== 'active' && writer.state.inbox.length === 0;
      if (begins && missing !== null) return refuse('missing_secret', missing);
      const kept = writer.record.preset;
      const lasts = begins && kept !== undefined && Object.hasOwn(bot.plan.presets ?? {}, kept);
      const chosen = preset ?? (lasts ? kept : undefined);
      const plan = writer.shelf.at(digest) ?? bot.plan;
      const stray = outsidePattern(plan, { ...plan.presets?.[chosen ?? ''], ...vars });
      if (stray !== null) return refuse('invalid_vars', stray);
      return judgeMessage(plan, writer.state, {
        text,
        delivery,
        workspace: scope.kind === 'workspace' ? scope.path : (workspace ?? null),
        by: actor,
        commandId,
        planDigest: digest,
        ...(vars === undefined ? {} : { vars }),
        ...(chosen === undefined ? {} : { preset: chosen }),
        files,
        defaults,
        at: instant(this.#options.clock),
      });
    });
  }

  /** Keeps the bytes of a file that a message is to bring. Nothing is told of them before one does. */
  upload(bytes: Uint8Array): Promise<Digest> {
    return this.#while(async () => {
      await this.#current.writable();
      return known(this.#options.blobs.put(this.id, bytes));
    });
  }

  /** Takes a queued message back. */
  unsend(command: Unsend): Promise<Reply> {
    return this.#command('unsend', command, ({ writer }) =>
      judgeUnsend(writer.plan, writer.state, command.message, command.actor),
    );
  }

  /** Answers one pause. */
  async decide(command: Decide): Promise<Reply> {
    const altered = await this.#while(() => this.#altered(command));
    return this.#command('decision', command, ({ writer, driver }) =>
      judge(writer.state.machine.run ? writer.plan : driver.bot.plan, writer.state, command, altered),
    );
  }

  /** The version that the card of a decision shows, when its text is another where it is stored. */
  async #altered({ pause }: Decide): Promise<ArtifactRef | null> {
    const { writer } = await this.#current.ready();
    const card = writer.durable.state.machine.pauses.find(open => open.id === pause);
    if (card?.kind !== 'card') return null;
    const { shown } = card;
    const stored = await known(this.#options.store.artifact(this.id, shown.artifact, shown.version));
    return stored !== null && sha256(stored.body) === shown.digest ? null : shown;
  }

  /** Interrupts a queued, running or waiting turn. */
  interrupt(command: Interrupt): Promise<Reply> {
    return this.#command('interrupt', command, ({ writer }) =>
      judgeInterrupt(writer.state, command.turn, command.actor),
    );
  }

  /** Takes back what a person allowed or denied for good. */
  revoke(command: RevokeRule): Promise<Reply> {
    return this.#command('revoke', command, ({ writer, driver }) =>
      judgeRevoke(writer.state, command.rule, command.actor, driver.bot.digest),
    );
  }

  /** Raises one limit of one ledger. */
  raise(command: Raise): Promise<Reply> {
    const { ledger, axis, to, actor: by } = command;
    return this.#command('raise', command, ({ writer }) => {
      if (writer.state.machine.run === null) {
        return refuse('wrong_state', 'No run has begun here yet, so there is no budget to raise.');
      }
      return judgeRaise(writer.plan, writer.state, { ledger, axis, to, by });
    });
  }

  /** Pauses a run before its next step, lets it go on, or gives it up. */
  operate(what: 'pause' | 'resume' | 'cancel', command: OperateRun): Promise<Reply> {
    const { run, actor: by } = command;
    return this.#command(what, command, ({ writer }) => {
      if (what === 'pause') return judgePause(writer.state, run, by);
      if (what === 'cancel') return judgeCancel(writer.state, run, by);
      return judgeResume(writer.state.machine.run ? writer.plan : null, writer.state, run, by);
    });
  }

  /** Renames, pins or gives the conversation another bot. The record is first; its events follow. */
  change(command: ChangeConversation): Promise<Reply> {
    return this.alone(() =>
      this.#once(command, async () => {
        const opening = await this.#current.writable();
        const repeated = await this.#repeated(opening, 'change', command);
        if (repeated) return repeated;
        const { writer, driver } = opening;
        const before = writer.record;
        const { title = before.title, pinned = before.pinned, bot = before.bot } = command;
        if (bot !== before.bot && this.active) {
          const message = 'A turn is queued or running; wait for it or interrupt it, then change the bot.';
          return this.#refused(writer, 'change', command, { code: 'active', message });
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
      this.#once(command, async () => {
        const opening = await this.#current.writable();
        const repeated = await this.#repeated(opening, 'reset', command);
        if (repeated) return repeated;
        this.#current.check();
        if (opening.failure) throw opening.failure;
        if (this.active) {
          const message = 'A turn is queued or running; wait for it or interrupt it, then reset.';
          return this.#refused(opening.writer, 'reset', command, { code: 'active', message });
        }
        opening.retire();
        // Whoever comes meanwhile waits for the new epoch.
        const receipt = await this.#current.replaced(() =>
          resetTo(this.#options, opening, receiptOf('reset', command, {})),
        );
        return { receipt, replayed: false, view: this.view() };
      }),
    );
  }

  /** The reply to a command that was accepted before; `null` when none of that id was. */
  async replay<C extends Command>(name: string, command: C): Promise<Reply | null> {
    return this.#repeated(await this.#current.ready(), name, command);
  }

  /** Writes a notice into the log. */
  async tell(code: string, severity: 'info' | 'warning' | 'error', text: string): Promise<void> {
    const { writer } = await this.#current.writable();
    await known(writer.commit([], [notice(code, severity, text)]));
  }

  /** The tickets that are watched, as they were told of last. */
  watched(): readonly WatchedTicket[] {
    return this.#current.opening.writer.durable.state.watched;
  }

  /** Tells what is new of the watched tickets; what was told before is not told again. */
  async look(tickets: readonly TicketLook[]): Promise<void> {
    const { writer } = await this.#current.writable();
    if (writer.state.machine.run !== null) await known(writer.commit([{ is: 'looked', tickets }]));
  }

  /** Makes this the default conversation, or no longer. */
  mark(isDefault: boolean): Promise<void> {
    return this.alone(() =>
      this.#while(async () => {
        const { writer } = await this.#current.writable();
        await known(writer.update({ ...writer.record, default: isDefault }));
        await known(writer.commit([]));
      }),
    );
  }

  /** Does something while nobody changes the record or resets. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  /** Up to `limit` events after the cursor; from the boundary without one. */
  page(after: Cursor | null, limit: number): Promise<EventPage | Recovery> {
    return this.#while(async () => {
      await this.#current.ready();
      const page = await this.#options.store.events(this.id, after, limit);
      if (!('code' in page)) return page;
      const view = this.view();
      return { ...page, stateCursor: view.head, view };
    });
  }

  /** The last `turns` turns of the transcript below `before`; from its end when that is `null`. */
  history(before: number | null, turns: number): Promise<HistoryPage> {
    return this.#while(async () => {
      await this.#current.ready();
      return this.#options.store.history(this.id, before, turns);
    });
  }

  /**
   * Sends the events after the cursor, then what happens: each event once and in order, drafts between them. A cursor
   * that cannot be continued is answered with one `recover` frame first; a `cut` frame is the last. The backlog waits
   * for `ready`. The result ends it.
   */
  attach(
    after: Cursor | null,
    on: (frame: Frame) => void,
    ready?: () => Promise<void> | null,
  ): Promise<() => void> {
    const source = {
      page: (from: Cursor | null, limit: number) => this.page(from, limit),
      subscribe: (listener: (frame: Frame) => void) => this.#options.bus.subscribe(this.id, listener),
    };
    return Attachment.begin(source, after, { on, ...(ready === undefined ? {} : { ready }) });
  }

  /** The runs since the last reset of which anything is kept, oldest first. */
  runs(): Promise<readonly RunId[]> {
    return this.#while(async () => {
      await this.#current.ready();
      return this.#options.store.runs(this.id);
    });
  }

  /** What is kept of a run's commits; `null` when nothing is. */
  trace(run: RunId): Promise<RunTrace | null> {
    return this.#while(async () => {
      await this.#current.ready();
      return this.#options.store.trace(this.id, run);
    });
  }

  /** The latest commands since the last reset that changed nothing, oldest first. */
  audited(): Promise<readonly AuditLine[]> {
    return this.#while(async () => {
      await this.#current.ready();
      return this.#options.store.audited(this.id);
    });
  }

  /** A version of an artifact, whole; `null` when there is none, or its text is not what its digest says. */
  artifact(name: string, version: number): Promise<ArtifactVersion | null> {
    return this.#while(async () => {
      await this.#current.ready();
      const found = await this.#options.store.artifact(this.id, name, version);
      return found !== null && sha256(found.body) === found.ref.digest ? found : null;
    });
  }

  /** A long text or an attachment; `null` when there is none of that digest. */
  blob(digest: Digest): Promise<Uint8Array | null> {
    return this.#while(async () => {
      await this.#current.ready();
      return this.#options.blobs.get(this.id, digest);
    });
  }

  /** Resolves when nothing runs, nothing is ready, and everything is written. */
  async settled(): Promise<void> {
    const { driver, writer } = this.#current.opening;
    await driver.settled();
    await writer.still();
  }

  /** Whether a turn is queued or running, which keeps the conversation from being closed. */
  get active(): boolean {
    const { turn } = this.#current.opening.writer.state.machine;
    return turn?.status === 'running' || this.#current.opening.writer.state.inbox.length > 0;
  }

  /**
   * Stops what runs, without an outcome, and gives the files back. Whatever is still asked rejects with `closed`, or with
   * `unknown_conversation` once the conversation has left, which `leaves` tells.
   */
  async close(leaves: Promise<boolean> | null = null): Promise<void> {
    await this.#current.close(leaves);
    await this.#options.store.release(this.id);
  }

  #command(name: string, command: Command, judgeIn: (opening: Opening) => Judged): Promise<Reply> {
    return this.#once(command, async () => {
      for (;;) {
        const opening = await this.#current.writable();
        const repeated = await this.#repeated(opening, name, command);
        if (repeated) return repeated;
        // From here to the proposal nothing waits, so what was judged is what is applied.
        this.#current.check();
        if (opening.retired) continue;
        if (opening.failure) throw opening.failure;
        const judged = judgeIn(opening);
        if ('refused' in judged) return this.#refused(opening.writer, name, command, judged.refused);
        const receipt = await opening.accept(judged.entry, [], receiptOf(name, command, judged.did));
        return { receipt, replayed: false, view: this.view() };
      }
    });
  }

  /** Commands of one id follow one another. */
  #once(command: Command, work: () => Promise<Reply>): Promise<Reply> {
    return this.#under.run(command.commandId, () => this.#while(work));
  }

  /** What fails because the lane was closed under it fails for that reason, whatever it met. */
  async #while<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      await this.#current.decided();
      this.#current.check();
      throw thrown;
    }
  }

  /** The reply to a command whose id was used before. */
  async #repeated(opening: Opening, name: string, command: Command): Promise<Reply | null> {
    const receipt = await known(this.#options.store.receipt(this.id, command.commandId));
    if (receipt === null) return null;
    const verdict = judgeRepeat(receipt, payloadOf(name, command));
    if ('refused' in verdict) {
      return { ...(await this.#refused(opening.writer, name, command, verdict.refused)), receipt };
    }
    this.#note(name, command, 'replayed');
    return { receipt, replayed: true, view: this.view() };
  }

  /** A refusal may rest on what is not durable yet, and then waits for it. */
  async #refused(writer: Writer, name: string, command: Command, refused: Refusal): Promise<Reply> {
    this.#note(name, command, refused.code);
    await writer.settled();
    return { receipt: null, replayed: false, refused, view: this.view() };
  }

  #note(name: string, command: Command, code: string): void {
    this.#options.store.audit(this.id, auditNote(name, command, code, instant(this.#options.clock)));
  }
}

function receiptOf(name: string, command: Command, did: Did): Omit<Receipt, 'at'> {
  return { commandId: command.commandId, command: name, payload: payloadOf(name, command), did };
}
