import { canonicalJson } from '@hearth/protocol/json.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { ProblemError } from './problem.ts';

/*
 * Commands that name no conversation are judged once: the same id with the same body gets the first answer, and with
 * another body it is refused. The answers are kept in memory and bounded, which covers a client that heard nothing and
 * sends again.
 */

const KEPT = 512;

export class Once {
  readonly #known = new Map<string, { readonly body: string; readonly answer: Promise<unknown> }>();

  /** Runs `work` unless the command is known; a failed one may be tried again. Throws `command_conflict`. */
  async run<T>(commandId: string, command: unknown, work: () => Promise<T>): Promise<T> {
    const body = sha256(canonicalJson(command));
    const first = this.#known.get(commandId);
    if (first !== undefined) {
      if (first.body !== body) {
        throw new ProblemError(
          'command_conflict',
          'This command id was used for another command: make a new id.',
        );
      }
      // The same body under the same id was made by the same route, so its answer has the same type.
      return first.answer as Promise<T>;
    }
    const answer = work();
    this.#known.set(commandId, { body, answer });
    answer.catch(() => this.#known.delete(commandId));
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KEPT) break;
      this.#known.delete(oldest);
    }
    return answer;
  }
}
