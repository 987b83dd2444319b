import { ASK_USER, askOf, askUser } from '@hearth/engine/ask-tool.ts';
import type { Ask, BackendTurn, Host } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolGrant, ToolResult } from '@hearth/engine/tool.ts';

/*
 * Hearth's own tools as an agent that is a program of somebody else's gets them: those that its node was granted, and the
 * question to the person. A question parks. The agent is told at once that it was delivered and that its turn ends here,
 * so that nothing waits while a person thinks; the answer comes as the next message. From the question on nothing else is
 * carried out but further questions, whatever the agent tries; only a program that ends the turn behind the step itself
 * has the rest of that step carried out.
 */

/** What a call came to, as the agent reads it. */
export interface Said {
  readonly text: string;
  /** It is an error that the agent can act on. */
  readonly failed: boolean;
}

const DELIVERED =
  'The question was delivered to the person. It is not answered yet. End your turn now, without another tool and without an answer of your own; the answer comes as the next message.';
const WAITS =
  'Not done yet: it waits for the person. End your turn now, without another tool; what came of it comes as the next message.';
const NOT_NOW =
  'Not done: a question waits for the person, or an answer is waited for. End your turn now and call it again afterwards, if it is still right then.';

/** The tools of one turn. It is the only place from which a program's calls reach the host. */
export class OwnTools {
  readonly grants: readonly ToolGrant[];
  readonly #turn: Pick<BackendTurn, 'tools' | 'mayAsk'>;
  readonly #host: Host;
  readonly #asks: Ask[] = [];
  readonly #stops: boolean;
  #parks = false;
  #called = false;

  /** `stops`: the program ends its turn behind the step that put a question, so the rest of that step is carried out. */
  constructor(turn: Pick<BackendTurn, 'tools' | 'mayAsk'>, host: Host, { stops = false } = {}) {
    this.#stops = stops;
    this.#turn = turn;
    this.#host = host;
    this.grants = [...turn.tools.filter(tool => tool.origin === 'hearth'), ...(turn.mayAsk ? [askUser] : [])];
  }

  /** The questions that were put, in order. */
  get asks(): readonly Ask[] {
    return this.#asks;
  }

  /** The turn has to end with `parked`. */
  get parks(): boolean {
    return this.#parks;
  }

  /** A tool was called that may have taken effect. */
  get called(): boolean {
    return this.#called;
  }

  /** Puts a question of the agent's own kind, such as the approval of its plan. */
  ask(ask: Ask): Said {
    this.#asks.push(ask);
    this.#parks = true;
    return { text: DELIVERED, failed: false };
  }

  /** A call of the program's own waits for a person: the turn has to end, and nothing more is carried out. */
  park(): void {
    this.#parks = true;
  }

  /** Carries a call out. Rejects only when the host does: the turn is over then. */
  async call(call: ToolCall): Promise<Said> {
    if (call.name === ASK_USER && this.#turn.mayAsk) return this.#ask(call);
    if (this.#parks && !this.#stops) return { text: NOT_NOW, failed: true };
    this.#called = true;
    const result = await this.#host.call(call);
    if (result.parks !== true) return said(result);
    this.#parks = true;
    return { text: WAITS, failed: false };
  }

  #ask({ id, args }: ToolCall): Said {
    const ask = askOf(id, args);
    return 'wrong' in ask ? { text: ask.wrong, failed: true } : this.ask(ask);
  }
}

function said({ content, error }: ToolResult): Said {
  if (error !== undefined) return { text: error, failed: true };
  return { text: typeof content === 'string' ? content : JSON.stringify(content), failed: false };
}
