import { judgeRepeat } from '@hearth/decisions/judge.ts';
import type { Judged, WillDo } from '@hearth/engine/accept.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { CommandId } from '@hearth/protocol/ids.ts';
import type { Refusal, Reply } from '@hearth/protocol/receipt.ts';
import { instant } from '@hearth/store/clock.ts';
import { KeyedSerial } from '@hearth/store/keyed-serial.ts';
import { auditNote } from './audit-note.ts';
import { known } from './lane-error.ts';
import { LaneReading } from './lane-reading.ts';
import type { Opening } from './opening.ts';
import { payloadOf } from './payload.ts';
import type { Unplaced } from './stamp.ts';
import type { Writer } from './writer.ts';

/** What every command carries. */
export interface Command {
  readonly commandId: CommandId;
  readonly actor: Actor;
}

/** How each command to one conversation is judged, applied and answered once; see `Lane`. */
export class LaneCommands extends LaneReading {
  /** Commands of one id follow one another, so that the second finds what became of the first. */
  readonly #under = new KeyedSerial<CommandId>();

  /** Judges a command and applies it in one stretch. */
  protected command(name: string, command: Command, judgeIn: (opening: Opening) => Judged): Promise<Reply> {
    return this.once(command, async () => {
      for (;;) {
        const opening = await this.current.writable();
        const repeated = await this.repeated(opening, name, command);
        if (repeated) return repeated;
        // From here to the proposal nothing waits, so what was judged is what is applied.
        this.current.check();
        if (opening.retired) continue;
        if (opening.failure) throw opening.failure;
        const judged = judgeIn(opening);
        if ('refused' in judged) return this.refused(opening.writer, name, command, judged.refused);
        const receipt = await opening.accept(judged.entry, [], receiptOf(name, command, judged.did));
        return { receipt, replayed: false, view: this.view() };
      }
    });
  }

  /** Commands of one id follow one another. */
  protected once(command: Command, work: () => Promise<Reply>): Promise<Reply> {
    return this.#under.run(command.commandId, () => this.guarded(work));
  }

  /** The reply to a command whose id was used before. */
  protected async repeated(opening: Opening, name: string, command: Command): Promise<Reply | null> {
    const receipt = await known(this.options.store.receipt(this.id, command.commandId));
    if (receipt === null) return null;
    const verdict = judgeRepeat(receipt, payloadOf(name, command));
    if ('refused' in verdict) {
      return { ...(await this.refused(opening.writer, name, command, verdict.refused)), receipt };
    }
    this.#note(name, command, 'replayed');
    return { receipt, replayed: true, view: this.view() };
  }

  /** A refusal may rest on what is not durable yet, and then waits for it. */
  protected async refused(writer: Writer, name: string, command: Command, refused: Refusal): Promise<Reply> {
    this.#note(name, command, refused.code);
    await writer.settled();
    return { receipt: null, replayed: false, refused, view: this.view() };
  }

  #note(name: string, command: Command, code: string): void {
    this.options.store.audit(this.id, auditNote(name, command, code, instant(this.options.clock)));
  }
}

/** The receipt of a command that was accepted; its place in the log is not known yet. */
export function receiptOf<D extends WillDo>(
  name: string,
  command: Command,
  did: D,
): Omit<Unplaced, 'did'> & { readonly did: D } {
  return { commandId: command.commandId, command: name, payload: payloadOf(name, command), did };
}
