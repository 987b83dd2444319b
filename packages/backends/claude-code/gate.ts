import type { Ask, Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import { canonicalJson, type JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';
import { answered, SERVER } from '../own-tools/mcp.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import { ANSWER, ownName, PLAN, QUESTION } from './tool-names.ts';
import type { ControlRequest } from './wire.ts';

/*
 * What the program asks before and after it acts. Hearth's tools are served here; of its own tools each call passes the
 * host, whatever the program would have allowed by itself; its questions become questions to the person. Once a question
 * was put the turn stops behind the step that put it, without another request to the model; each other call of that step is
 * judged for itself.
 */

/** What the gate tells of native tools, and what it asks of a call. */
export interface GateEvents {
  /** Whether a call names a path in Hearth's own home. */
  enters(call: ToolCall): Promise<boolean>;
  /** A native tool is about to start; resolves when that is written down. */
  starts(call: ToolCall): Promise<void>;
  denied(call: ToolCall): void;
  /** A tool of Hearth's works. */
  works(call: string, working: boolean): void;
}

const STOP = { continue: false, stopReason: 'The turn ends here: a question waits for the person.' };
const CLOSED = "This lies in Hearth's own home, which is closed.";
const NOT_GRANTED = 'This tool may not be used here.';

const Questions = z.object({
  questions: z.array(
    z.looseObject({
      question: z.string().min(1),
      multiSelect: z.boolean().catch(false),
      options: z.array(z.looseObject({ label: z.string().min(1), description: z.string().exactOptional() })),
    }),
  ),
});

/** The gate of one process. What waits for a person is in `permits` when the turn ends. */
export class Gate {
  readonly #tools: OwnTools;
  readonly #native: ReadonlySet<string>;
  readonly #host: Host;
  readonly #events: GateEvents;
  readonly #permits: ToolCall[] = [];
  /** What was allowed, by its call: the arguments that it was allowed with. */
  readonly #allowed = new Map<string, string>();
  #made = 0;

  constructor(tools: OwnTools, native: readonly string[], host: Host, events: GateEvents) {
    this.#tools = tools;
    this.#native = new Set(native);
    this.#host = host;
    this.#events = events;
  }

  /** Calls that wait for the person's permission. */
  get permits(): readonly ToolCall[] {
    return this.#permits;
  }

  /** The turn has to end with `parked`. */
  get parks(): boolean {
    return this.#tools.parks || this.#permits.length > 0;
  }

  /** Answers a request of the program's. Rejects only when the host does: the turn is over then. */
  async answer(request: ControlRequest): Promise<JsonObject> {
    switch (request.subtype) {
      case 'mcp_message':
        return await this.#served(request.server_name, request.message);
      case 'hook_callback':
        return request.input.hook_event_name === 'PreToolUse'
          ? await this.#before({
              id: request.tool_use_id,
              name: request.input.tool_name,
              args: request.input.tool_input,
            })
          : this.parks
            ? STOP
            : {};
      case 'can_use_tool':
        return this.#asked(request);
    }
  }

  async #served(server: string, message: JsonObject): Promise<JsonObject> {
    if (server !== SERVER) return { mcp_response: refused(message) };
    const call = `own ${(this.#made += 1)}`;
    const newId = (): string => call.replace(' ', '-');
    const works = message['method'] === 'tools/call';
    if (works) this.#events.works(call, true);
    try {
      const reply = await answered(this.#tools, newId, message);
      return { mcp_response: reply ?? { jsonrpc: '2.0', id: 0, result: {} } };
    } finally {
      if (works) this.#events.works(call, false);
    }
  }

  async #before(call: ToolCall): Promise<JsonObject> {
    if (ownName(call.name) !== null || call.name === ANSWER) return {};
    if (!this.#native.has(call.name)) return this.#deny(call, NOT_GRANTED);
    if (call.name === QUESTION || call.name === PLAN) return this.#question(call);
    if (await this.#events.enters(call)) return this.#deny(call, CLOSED);
    const permit = await this.#host.permit(call);
    if (permit === 'allow') {
      this.#allowed.set(call.id, canonicalJson(call.args));
      await this.#events.starts(call);
      return {};
    }
    if (permit === 'deny') return this.#deny(call, NOT_GRANTED);
    this.#permits.push(call);
    return { ...STOP, ...denial('The person is asked whether this may be done. End your turn now.') };
  }

  #question(call: ToolCall): JsonObject {
    const asks = call.name === PLAN ? [planAsk(call)] : questionsIn(call);
    if (asks === null)
      return this.#deny(call, 'The question cannot be read; ask it again with its text and options.');
    const [said] = asks.map(ask => this.#tools.ask(ask));
    return { ...STOP, ...denial(said?.text ?? NOT_GRANTED) };
  }

  /** What the program would ask whoever sits in front of it; it was decided before, or it is not done. */
  #asked(request: Extract<ControlRequest, { subtype: 'can_use_tool' }>): JsonObject {
    const { tool_name: name, input, tool_use_id: id, decision_reason_type: reason } = request;
    const own = ownName(name) !== null || name === ANSWER;
    const outside = reason === 'workingDir';
    if (own || (!outside && this.#allowed.get(id) === canonicalJson(input))) {
      return { behavior: 'allow', updatedInput: input };
    }
    const message = outside ? 'This lies outside of the workspace, and is not done.' : NOT_GRANTED;
    return { behavior: 'deny', message };
  }

  #deny(call: ToolCall, why: string): JsonObject {
    this.#events.denied(call);
    return denial(why);
  }
}

function denial(why: string): JsonObject {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: why,
    },
  };
}

function refused(message: JsonObject): JsonObject {
  return {
    jsonrpc: '2.0',
    id: message['id'] ?? 0,
    error: { code: -32601, message: 'There is no such server.' },
  };
}

/** The program's own question, as Hearth asks it. Of several that may be chosen together the person writes which. */
function questionsIn({ id, args }: ToolCall): Ask[] | null {
  const read = Questions.safeParse(args);
  if (!read.success || read.data.questions.length === 0) return null;
  return read.data.questions.map(({ question, options, multiSelect }, at) => ({
    call: `${id}-${at + 1}`,
    text: question,
    options: options.map(({ label, description }) => ({
      id: label,
      label,
      ...(description === undefined ? {} : { detail: description }),
    })),
    allowFreeText: multiSelect || options.length === 0,
  }));
}

function planAsk({ id, args }: ToolCall): Ask {
  const plan = typeof args['plan'] === 'string' ? args['plan'].trim() : '';
  return {
    call: id,
    text: plan === '' ? 'May I carry out the plan as described?' : `May I carry out this plan?\n\n${plan}`,
    options: [
      { id: 'approve', label: 'Carry it out' },
      { id: 'keep_planning', label: 'Keep planning' },
    ],
    allowFreeText: true,
  };
}
