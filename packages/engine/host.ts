import { plainTool } from '@hearth/decisions/permission-rule.ts';
import type { EffectId } from '@hearth/protocol/ids.ts';
import type { Host, PermissionPolicy } from './backend.ts';
import { CallOrder } from './call-order.ts';
import type { Drive } from './drive.ts';
import type { EntryBody } from './entry.ts';
import { permitted, type Verdict } from './permission.ts';
import { digestOf } from './permit.ts';
import type { Tool, ToolCall, ToolContext, ToolResult } from './tool.ts';

/** What decides on the calls of a node. */
interface Gate {
  readonly policy: PermissionPolicy;
  /** Of the names that the node lists; null: it lists none, so that native tools are unrestricted. */
  readonly names: readonly string[] | null;
}

/** At most this much of an error's text is shown beside the tool. */
const DETAIL_CHARS = 400;

/**
 * The host side of a running agent: its tool calls. Each call is committed before the tool runs and its outcome
 * before the agent sees it, so that after a crash it is known which calls may have taken effect, also of several that ran
 * at once.
 */
export class EffectHost implements Host {
  readonly #drive: Drive;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #context: ToolContext;
  readonly #gate: Gate;
  readonly #parked: ToolCall[] = [];
  readonly #order = new CallOrder();
  #judging: Promise<unknown> = Promise.resolve();

  constructor(drive: Drive, tools: readonly Tool[], context: ToolContext, gate: Gate) {
    this.#gate = gate;
    this.#drive = drive;
    this.#tools = new Map(tools.map(tool => [tool.name, tool]));
    this.#context = context;
  }

  /** Calls begin in the order in which they were made; those that only read run beside one another. */
  call(call: ToolCall): Promise<ToolResult> {
    const reads = this.#tools.get(call.name)?.mutates !== true;
    return this.#order.run(reads, () => this.#run(call));
  }

  /** Calls of Hearth's tools that wait for a person's leave. */
  get parked(): readonly ToolCall[] {
    return this.#parked;
  }

  /** Leave for a native tool; what the node does not name is denied here once more. */
  permit(call: ToolCall): Promise<'allow' | 'deny' | 'park'> {
    return this.#judged(() => this.#permit(call));
  }

  /** One call is judged after the other, since leave that was given once is used up by the first. */
  #judged<T>(work: () => Promise<T>): Promise<T> {
    const judged = this.#judging.then(work);
    this.#judging = judged.catch(() => undefined);
    return judged;
  }

  async #permit(call: ToolCall): Promise<'allow' | 'deny' | 'park'> {
    const { names } = this.#gate;
    if (names !== null && !names.some(name => plainTool(name) === plainTool(call.name))) return 'deny';
    const verdict = this.#verdict(call, false);
    if (verdict.is === 'granted') await this.#drive.commit([this.#permitted(call)]);
    if (verdict.is === 'ask') return 'park';
    return verdict.is === 'deny' ? 'deny' : 'allow';
  }

  #verdict({ id, name, args }: ToolCall, infra: boolean): Verdict {
    const { run } = this.#drive.state.machine;
    const { effect, workspace } = this.#context;
    const stage = run?.tokens.find(one => one.stage.is === 'running' && one.stage.effect === effect)?.stage;
    const answers = stage?.is === 'running' ? stage.answers : [];
    const call = { id, tool: name, args, digest: digestOf(args), infra, workspace };
    return permitted(this.#gate.policy, this.#drive.state.rules, answers, call);
  }

  #permitted({ id, name, args }: ToolCall): EntryBody {
    return {
      is: 'permitted',
      effect: this.#context.effect,
      call: id,
      tool: name,
      digest: digestOf(args),
    };
  }

  async #run(call: ToolCall): Promise<ToolResult> {
    const { effect, signal } = this.#context;
    const tool = this.#tools.get(call.name);
    if (tool === undefined) {
      await this.#drive.commit([], [{ type: 'tool', call: call.id, name: call.name, change: 'denied' }]);
      return {
        content: null,
        error: `There is no tool "${call.name}" here; use one of: ${[...this.#tools.keys()].join(', ')}.`,
      };
    }
    const refused = await this.#judged(() => this.#begins(call, tool));
    if (refused !== null) return refused;
    signal.throwIfAborted();
    const result = await runTool(tool, call, this.#context);
    await this.#drive.commit([returned(effect, call, result)], ticketEvents(result));
    return result;
  }

  /** Judges a call and writes down that it begins; what it comes to instead when it may not. */
  async #begins(call: ToolCall, tool: Tool): Promise<ToolResult | null> {
    const { effect, signal } = this.#context;
    signal.throwIfAborted();
    const verdict = this.#verdict(call, tool.capability !== undefined);
    if (verdict.is === 'ask') {
      this.#parked.push(call);
      return { content: null, parks: true };
    }
    const digest = digestOf(call.args);
    const { name, idempotent } = tool;
    if (verdict.is === 'deny') {
      const title = tool.title(call.args);
      await this.#drive.commit([], [{ type: 'tool', call: call.id, name, change: 'denied', title }]);
      return { content: null, error: `This call of "${name}" is not allowed: ${verdict.why}.` };
    }
    await this.#drive.commit([
      ...(verdict.is === 'granted' ? [this.#permitted(call)] : []),
      { is: 'called', effect, call: call.id, name, title: tool.title(call.args), digest, idempotent },
    ]);
    return null;
  }
}

async function runTool(tool: Tool, call: ToolCall, context: ToolContext): Promise<ToolResult> {
  try {
    return await tool.run(call.args, context);
  } catch (error) {
    return { content: null, error: error instanceof Error ? error.message : 'the tool failed' };
  }
}

function returned(effect: EffectId, call: ToolCall, result: ToolResult) {
  return {
    is: 'returned',
    effect,
    call: call.id,
    digest: digestOf(result.content),
    failed: result.error !== undefined,
    ...(result.error === undefined ? {} : { detail: result.error.slice(0, DETAIL_CHARS) }),
  } as const;
}

function ticketEvents({ ticket }: ToolResult) {
  if (ticket === undefined) return [];
  const { id, title, state, change } = ticket;
  return [{ type: 'ticket', ticket: id, title, state, change, watched: false } as const];
}
