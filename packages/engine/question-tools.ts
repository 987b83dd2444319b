import type { EffectId, PauseId } from '@hearth/protocol/ids.ts';
import { type JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { z } from 'zod';
import { askOf, questionSchema } from './ask-tool.ts';
import type { Host } from './backend.ts';
import type { Drive } from './drive.ts';
import { ASYNC_QUESTIONS, isOver, waitedFor } from './open-questions.ts';
import type { Wait } from './question-state.ts';
import type { ToolCall, ToolGrant, ToolResult } from './tool.ts';

/*
 * The two tools of an agent with `interaction: async`: asking without waiting, and waiting for what was asked. Both are the
 * engine's own, since they change what is open and not the world.
 */

/** Asks and goes on; the result is the id of the question. */
export const ASK_USER_ASYNC = 'ask_user_async';
/** Waits for answers to such questions, for at most a week. */
export const AWAIT_ANSWERS = 'await_answers';

/** The longest that an agent may wait, in seconds: a week. */
const LONGEST = 7 * 24 * 3600;

const Waiting = z.object({
  questions: z.array(z.string()).exactOptional(),
  timeout_seconds: z.coerce.number().positive().max(LONGEST).exactOptional(),
});

/** Both tools as an agent with `interaction: async` is offered them. */
export const QUESTION_TOOLS: readonly ToolGrant[] = [
  {
    name: ASK_USER_ASYNC,
    description:
      'Asks the person a question and goes on at once; the result is its id. The answer comes later as a line that names the id, in this turn or another. Wait for it with await_answers when nothing can be done without it.',
    input: questionSchema,
    mutates: false,
    origin: 'hearth',
  },
  {
    name: AWAIT_ANSWERS,
    description:
      'Waits until the questions asked with ask_user_async are answered, and gives the answers. When the time is up it gives those that there are; the questions stay open.',
    input: JsonSchema.parse({
      type: 'object',
      properties: {
        questions: {
          type: 'array',
          items: { type: 'string' },
          description: 'Ids of questions; all of yours when left out.',
        },
        timeout_seconds: { type: 'number', description: 'How long to wait at most; for good when left out.' },
      },
    }),
    mutates: false,
    origin: 'hearth',
  },
];

/** Whether a call is one of these tools'. */
function isQuestionTool(name: string): boolean {
  return QUESTION_TOOLS.some(tool => tool.name === name);
}

/** A host that takes the agent's questions too. */
export function askingHost(host: Host, questions: QuestionTools): Host {
  return {
    call: call => (isQuestionTool(call.name) ? questions.call(call) : host.call(call)),
    permit: call => (isQuestionTool(call.name) ? Promise.resolve('allow') : host.permit(call)),
  };
}

/** Carries the calls out for one effect. Each is one commit, which is durable before the agent learns of it. */
export class QuestionTools {
  readonly #drive: Drive;
  readonly #effect: EffectId;
  readonly #node: string;
  readonly #clock: Clock;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(drive: Drive, clock: Clock, about: { readonly effect: EffectId; readonly node: string }) {
    this.#drive = drive;
    this.#clock = clock;
    this.#effect = about.effect;
    this.#node = about.node;
  }

  /** One after the other: what is waited for has been asked before. */
  call({ id, name, args }: ToolCall): Promise<ToolResult> {
    const result = this.#tail.then(() =>
      name === ASK_USER_ASYNC ? this.#ask(id, args) : this.#wait(id, args),
    );
    this.#tail = result.catch(() => undefined);
    return result;
  }

  async #ask(call: string, args: JsonObject): Promise<ToolResult> {
    const ask = askOf(call, args, ASK_USER_ASYNC);
    if ('wrong' in ask) return { content: null, error: ask.wrong };
    // After a crash an agent may ask once more what it had asked, and what may have been answered since.
    const asked = this.#mine().find(one => one.text === ask.text);
    if (asked !== undefined) return { content: told(asked.pause) };
    if ((this.#drive.state.machine.run?.questions ?? []).length >= ASYNC_QUESTIONS) {
      return {
        content: null,
        error: `${ASYNC_QUESTIONS} questions are open already; wait for answers with ${AWAIT_ANSWERS}.`,
      };
    }
    await this.#drive.commit([{ is: 'asked', effect: this.#effect, ask }]);
    const made = this.#mine().findLast(one => one.text === ask.text);
    return made === undefined
      ? { content: null, error: 'The question could not be asked.' }
      : { content: told(made.pause) };
  }

  async #wait(call: string, args: JsonObject): Promise<ToolResult> {
    const read = Waiting.safeParse(args);
    if (!read.success) {
      const [issue] = read.error.issues;
      return {
        content: null,
        error: `${AWAIT_ANSWERS} cannot use "${issue?.path.join('.') ?? ''}": ${issue?.message ?? 'it does not fit'}.`,
      };
    }
    const { questions: named, timeout_seconds: seconds } = read.data;
    const mine = this.#mine();
    const unknown = named?.find(id => !mine.some(one => one.pause === id));
    if (unknown !== undefined) {
      return {
        content: null,
        error: `You have no question "${unknown}" that is open or whose answer you were not told.`,
      };
    }
    const waited = mine.filter(one => named?.includes(one.pause) ?? true).map(one => one.pause);
    const wait: Wait = {
      call,
      questions: waited,
      ...(seconds === undefined ? {} : { until: new Date(this.#clock.now() + seconds * 1000).toISOString() }),
    };
    await this.#drive.commit([{ is: 'awaits', effect: this.#effect, wait }]);
    const { run } = this.#drive.state.machine;
    if (run === null || !isOver(run, wait)) return { content: null, parks: true };
    return { content: waitedFor(run, wait) };
  }

  #mine() {
    const { run } = this.#drive.state.machine;
    return (run?.questions ?? []).filter(one => one.node === this.#node);
  }
}

function told(question: PauseId): JsonObject {
  return { question_id: question, answered: false, note: 'The person has it; go on meanwhile.' };
}
