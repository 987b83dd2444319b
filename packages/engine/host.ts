import { createHash } from 'node:crypto';
import type { Digest, EffectId } from '@hearth/protocol/ids.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import type { Host } from './backend.ts';
import type { Drive } from './drive.ts';
import type { Tool, ToolCall, ToolContext, ToolResult } from './tool.ts';

/** At most this much of an error's text is shown beside the tool. */
const DETAIL_CHARS = 400;

/**
 * The host side of a running agent: its tool calls. Each call is committed before the tool runs and its outcome
 * before the agent sees it, so that after a crash it is known which calls may have taken effect.
 */
export class EffectHost implements Host {
  readonly #drive: Drive;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #context: ToolContext;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(drive: Drive, tools: readonly Tool[], context: ToolContext) {
    this.#drive = drive;
    this.#tools = new Map(tools.map(tool => [tool.name, tool]));
    this.#context = context;
  }

  /** Calls run one after the other, in the order in which they were made. */
  call(call: ToolCall): Promise<ToolResult> {
    const result = this.#tail.then(() => this.#run(call));
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Permissions are granted by the node's lists alone; asking comes with the permission gate. */
  permit(call: ToolCall): Promise<'allow' | 'deny' | 'park'> {
    return Promise.resolve(this.#tools.has(call.name) ? 'allow' : 'deny');
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
    signal.throwIfAborted();
    const digest = digestOf(call.args);
    const { name, idempotent } = tool;
    await this.#drive.commit([
      { is: 'called', effect, call: call.id, name, title: tool.title(call.args), digest, idempotent },
    ]);
    signal.throwIfAborted();
    const result = await runTool(tool, call, this.#context);
    await this.#drive.commit([returned(effect, call, result)], ticketEvents(result));
    return result;
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

function digestOf(value: unknown): Digest {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}
