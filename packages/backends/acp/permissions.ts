import type { Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { RpcReply } from '../agent-programs/json-rpc.ts';
import { SERVER } from '../own-tools/mcp.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import { PermissionRequest } from './wire.ts';

/*
 * What an agent asks leave for. A call of Hearth's own tools is let through, since the host judges it when it comes; leave
 * for anything else is the host's to give, for exactly the call that is shown. No leave is ever given for good, and nothing
 * is answered for a person.
 */
export class Permissions {
  readonly #host: Host;
  readonly #tools: OwnTools;
  readonly #own: ReadonlySet<string>;
  readonly #permits: ToolCall[] = [];

  constructor(host: Host, tools: OwnTools) {
    this.#host = host;
    this.#tools = tools;
    this.#own = new Set(tools.grants.flatMap(({ name }) => spelled(name)));
  }

  /** Calls that wait for a person. */
  get permits(): readonly ToolCall[] {
    return this.#permits;
  }

  async answer(params: JsonObject): Promise<RpcReply> {
    const request = PermissionRequest.safeParse(params).data;
    if (request === undefined) return CANCELLED;
    const { toolCall, options } = request;
    const name = toolCall.title ?? toolCall.kind ?? 'tool';
    const call = { id: toolCall.toolCallId, name, args: toolCall.rawInput ?? {} };
    const verdict = this.#own.has(name) ? 'allow' : await this.#verdict(call);
    const option = options.find(({ kind }) => kind === (verdict === 'allow' ? 'allow_once' : 'reject_once'));
    if (option === undefined) return CANCELLED;
    return { result: { outcome: { outcome: 'selected', optionId: option.optionId } } };
  }

  async #verdict(call: ToolCall): Promise<'allow' | 'deny'> {
    if (this.#tools.parks || this.#permits.length > 0) return 'deny';
    const verdict = await this.#host.permit(call);
    if (verdict === 'park') this.#permits.push(call);
    return verdict === 'allow' ? 'allow' : 'deny';
  }
}

const CANCELLED: RpcReply = { result: { outcome: { outcome: 'cancelled' } } };

/** How agents spell a tool of Hearth's. */
function spelled(name: string): readonly string[] {
  return [`mcp__${SERVER}__${name}`, `${SERVER}/${name}`, `${SERVER}.${name}`, `${SERVER}__${name}`];
}
