import type { Ask, BackendTurn } from '@hearth/engine/backend.ts';
import type { ToolGrant, ToolResult } from '@hearth/engine/tool.ts';
import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import { BROKEN_OFF } from './history.ts';
import type { Call } from './line.ts';
import type { LoopParts } from './loop.ts';
import { fitted } from './output.ts';
import { ASK_USER, askOf, askUser } from '@hearth/engine/ask-tool.ts';
import { FINAL_ANSWER, finalAnswer } from './own-tools.ts';
import { after } from './patience.ts';
import { shortened } from './told.ts';

/*
 * What comes of the calls of a step: Hearth's tools run through the host, questions are collected, a final answer is
 * read. Every call but a question gets its result in the transcript as soon as it is known.
 */

/** `free`: any tool; `answer`: the final answer alone; `text`: none, though the tools are told of. */
export type Mode = 'free' | 'answer' | 'text';

/** How long a tool that runs when the turn is stopped may take to say what came of it, in milliseconds. */
const GRACE_MS = 2000;
/** How many calls of one step are made. */
const MOST = 256;
/** A longer result is told in part, in characters. */
const LONGEST = 256 * 1024;
const TOO_MANY = `This call was not made: of one step, only the first ${MOST} calls are. Make it again in the next step if it is still needed.`;

/** The tools that a step is told of. */
export function toolsOf(turn: BackendTurn, mode: Mode): readonly ToolGrant[] {
  const answer = turn.output === null ? [] : [finalAnswer(turn.output)];
  if (mode === 'answer') return answer;
  return [...turn.tools, ...(turn.mayAsk ? [askUser] : []), ...answer];
}

/** Where a call stands. `full`: the step ended at the limit of its length. */
interface Place {
  readonly mode: Mode;
  readonly alone: boolean;
  readonly full: boolean;
}

/** What the calls since the last look came to. */
export interface Outcome {
  readonly asks: readonly Ask[];
  /** The output, when the turn is ended with one. */
  readonly output: JsonObject | null;
  /** Why the final answer is none. */
  readonly misfit: string | null;
  /** A call has no result yet: the turn parks until there is one. */
  readonly parks: boolean;
}

/** The calls of one turn. Its results are in the transcript before anything follows from them. */
export class Calls {
  readonly #parts: Pick<LoopParts, 'turn' | 'host' | 'ports' | 'transcript' | 'signal'>;
  #asks: Ask[] = [];
  #output: JsonObject | null = null;
  #misfit: string | null = null;
  #parks = false;
  #stopped: Promise<'stopped'> | null = null;

  constructor(parts: Pick<LoopParts, 'turn' | 'host' | 'ports' | 'transcript' | 'signal'>) {
    this.#parts = parts;
  }

  /** Whether a call is the answer that ends the turn. */
  isFinal(call: Call): boolean {
    return call.name === FINAL_ANSWER && this.#parts.turn.output !== null;
  }

  /** Whether a call is one for the host, which may take effect. */
  runs(call: Call, mode: Mode): boolean {
    return mode === 'free' && !this.isFinal(call) && !this.#isAsk(call) && call.malformed !== true;
  }

  /**
   * Takes the calls of a step. Those for the host begin at once and in their order; the host keeps back what must not run
   * beside another. Each result is durable as soon as it is known. Rejects when all are over, if one of them did.
   */
  async handle(calls: readonly Call[], place: Omit<Place, 'alone'>): Promise<void> {
    const alone = calls.length === 1;
    const over = await Promise.allSettled(
      calls.map((call, at) => this.#handle(call, { ...place, alone, spare: at >= MOST })),
    );
    const failed = over.find(one => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    this.#parts.signal.throwIfAborted();
  }

  async #handle(call: Call, place: Place & { readonly spare: boolean }): Promise<void> {
    if (this.isFinal(call)) return await this.#final(call, place);
    if (place.mode !== 'free') {
      this.#misfit ??= 'a tool was called where only the answer was asked for';
      return await this.#result(call, 'No tool can be called any more; end the turn.', true);
    }
    if (call.malformed === true) {
      const cut = place.full ? ' The answer was cut at the limit of its length; be shorter.' : '';
      return await this.#result(call, `The arguments were no JSON object.${cut}`, true);
    }
    if (place.spare) return await this.#result(call, TOO_MANY, true);
    if (this.#isAsk(call)) return await this.#ask(call);
    const result = await this.#run(call);
    if (result.parks === true) this.#parks = true;
    else await this.#result(call, result.error ?? result.content, result.error !== undefined);
  }

  /** What came of the calls; looking forgets it. */
  outcome(): Outcome {
    const outcome = { asks: this.#asks, output: this.#output, misfit: this.#misfit, parks: this.#parks };
    this.#asks = [];
    this.#output = null;
    this.#misfit = null;
    this.#parks = false;
    return outcome;
  }

  #isAsk(call: Call): boolean {
    return call.name === ASK_USER && this.#parts.turn.mayAsk;
  }

  async #ask(call: Call): Promise<void> {
    const ask = askOf(call.call, call.args);
    if ('wrong' in ask) await this.#result(call, ask.wrong, true);
    else this.#asks.push(ask);
  }

  async #final(call: Call, { mode, alone, full }: Place): Promise<void> {
    if (this.#output !== null) return await this.#result(call, 'The turn has its answer.', true);
    if (!alone && mode === 'free') {
      const why =
        'Not taken, because other tools were called with it. Read their results, then call it alone.';
      return await this.#result(call, why, true);
    }
    const fit = fitted(this.#parts.turn.output, call.malformed === true ? null : call.args);
    if (fit.ok) {
      this.#output = fit.output;
      this.#misfit = null;
      return await this.#result(call, 'Taken.', false);
    }
    this.#misfit = full ? `${fit.why}, since the answer was cut at the limit of its length` : fit.why;
    await this.#result(call, `Not taken: ${this.#misfit}. Call it again with every field.`, true);
  }

  /** Runs a tool. When the turn is stopped meanwhile, what came of it is waited for, but not for long. */
  async #run({ call, name, args }: Call): Promise<ToolResult> {
    this.#parts.signal.throwIfAborted();
    const running = this.#parts.host.call({ id: call, name, args });
    const result = await Promise.race([running, (this.#stopped ??= this.#untilStopped())]);
    if (result !== 'stopped') return result;
    void running.catch(() => undefined);
    return { content: null, error: BROKEN_OFF };
  }

  /** Resolves when the turn was stopped and whatever runs has had its time. */
  #untilStopped(): Promise<'stopped'> {
    const { signal, ports } = this.#parts;
    return new Promise(resolve => {
      const stop = (): void => {
        void after(ports.clock, GRACE_MS, new AbortController().signal).then(() => resolve('stopped'));
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  async #result({ call, name }: Call, given: Json, failed: boolean): Promise<void> {
    const content = bounded(given);
    await this.#parts.transcript.append([{ line: 'result', call, name, content, failed }]);
  }
}

function bounded(content: Json): Json {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.length <= LONGEST ? content : shortened(text, LONGEST);
}
