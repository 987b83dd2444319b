import type { Lane } from '@hearth/conversations/lane.ts';
import { ada } from '@hearth/conversations/testing/sample-home.ts';
import type { Axis, LedgerName } from '@hearth/protocol/spend.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';

/* What a person of a scenario does to a run besides saying and deciding, also while a backend works. */

type Operating =
  | { readonly does: 'pause' | 'resume' | 'cancel' | 'interrupt' }
  | { readonly does: 'steer'; readonly text: string }
  | { readonly does: 'raise'; readonly ledger: LedgerName; readonly axis: Axis; readonly to: number };

/**
 * One thing that is done once. `at` names the agent that works meanwhile: it has begun its session and is held until the
 * command was acknowledged. Without it, it is done when nothing runs, before anything is answered or said.
 */
export type Operation = Operating & { readonly at?: string };

/** How far the person has come; outlives a crash. */
export class Operator {
  readonly #operations: readonly Operation[];
  /** How many were acknowledged. */
  #done = 0;
  /** The command that is under way, which is the same when it is sent again. */
  #sent: ((lane: Lane) => Promise<Reply>) | null = null;

  constructor(operations: readonly Operation[] = []) {
    this.#operations = operations;
  }

  /** What there was no time for. */
  get left(): readonly string[] {
    return this.#operations.slice(this.#done).map(({ does }) => does);
  }

  /** What is to be done now, while that agent works or while nothing does. */
  next(at?: string): Operation | null {
    const next = this.#operations[this.#done];
    return next !== undefined && next.at === at ? next : null;
  }

  /** Does it. A command that was refused is an error. */
  async do(lane: Lane, operation: Operation): Promise<Reply> {
    const reply = await this.#send(lane, operation);
    if (reply.refused) throw new Error(`${operation.does}: ${reply.refused.code}: ${reply.refused.message}`);
    this.#acknowledged();
    return reply;
  }

  /** After a crash: sends again what got no answer. Refused, it is left until its agent works again. */
  async again(lane: Lane): Promise<void> {
    const operation = this.#operations[this.#done];
    if (operation === undefined || this.#sent === null || operation.does === 'steer') return;
    const reply = await this.#send(lane, operation);
    if (!reply.refused) this.#acknowledged();
  }

  #acknowledged(): void {
    this.#done += 1;
    this.#sent = null;
  }

  #send(lane: Lane, operation: Operation): Promise<Reply> {
    this.#sent ??= this.#commandOf(lane, operation);
    return this.#sent(lane);
  }

  #commandOf(lane: Lane, operation: Operation): (lane: Lane) => Promise<Reply> {
    const id = { commandId: `operate-${String(this.#done).padStart(16, '0')}`, actor: ada };
    const { run, turn } = lane.view();
    if (run === null) throw new Error(`${operation.does}: there is no run`);
    const { does } = operation;
    switch (does) {
      case 'pause':
      case 'resume':
      case 'cancel':
        return to => to.operate(does, { ...id, run: run.id });
      case 'interrupt':
        if (turn === null) throw new Error('interrupt: there is no turn');
        return to => to.interrupt({ ...id, turn: turn.id });
      case 'steer':
        return to => to.send({ ...id, text: operation.text, delivery: 'steer' });
      case 'raise':
        return to => to.raise({ ...id, ledger: operation.ledger, axis: operation.axis, to: operation.to });
    }
  }
}
