import type { Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { type ClosedHome, entersHome } from '../agent-programs/closed-home.ts';
import type { RpcReply } from '../agent-programs/json-rpc.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import { spelled, toolCall } from './tool-names.ts';
import { type CallTold, PermissionRequest } from './wire.ts';

/*
 * What an agent asks leave for. A call of Hearth's own tools is let through, since the host judges it when it comes; leave
 * for anything else is the host's to give, for exactly the call that is shown. No leave is ever given for good, and nothing
 * is answered for a person.
 */
export class Permissions {
  readonly #host: Host;
  readonly #tools: OwnTools;
  readonly #closed: ClosedHome | null;
  readonly #own: ReadonlySet<string>;
  readonly #permits: ToolCall[] = [];
  readonly #refused = new Set<string>();
  readonly #denied: string[] = [];
  /** What was told of calls before they are asked about. */
  readonly #told = new Map<string, CallTold>();

  /** `closed`: Hearth's home, in which nothing is done for anybody's leave. */
  constructor(host: Host, tools: OwnTools, closed: ClosedHome | null) {
    this.#closed = closed;
    this.#host = host;
    this.#tools = tools;
    this.#own = new Set(tools.grants.flatMap(({ name }) => spelled(name)));
  }

  /** Calls that wait for a person. */
  get permits(): readonly ToolCall[] {
    return this.#permits;
  }

  /** Whether a call was refused, or waits. */
  refused(call: string): boolean {
    return this.#refused.has(call);
  }

  /** The tools whose calls were refused since the agent last stopped. */
  get denied(): readonly string[] {
    return this.#denied;
  }

  /** The agent has stopped; gives what was refused until then. */
  stopped(): readonly string[] {
    return this.#denied.splice(0);
  }

  /** The agent tells of a call; gives all that was told of it so far. */
  told(call: CallTold): CallTold {
    const known = this.#told.get(call.toolCallId);
    const news = Object.entries(call).filter(([, value]) => value != null);
    const all = { ...known, ...Object.fromEntries(news), toolCallId: call.toolCallId };
    this.#told.set(call.toolCallId, all);
    return all;
  }

  async answer(params: JsonObject): Promise<RpcReply> {
    const request = PermissionRequest.safeParse(params).data;
    if (request === undefined) return CANCELLED;
    const call = this.told(request.toolCall);
    const wanted = toolCall(call);
    const verdict = this.#own.has(call.title ?? '') ? 'allow' : await this.#verdict(wanted, call);
    if (verdict === 'deny') {
      this.#refused.add(wanted.id);
      this.#denied.push(wanted.name);
    }
    const option = request.options.find(
      ({ kind }) => kind === (verdict === 'allow' ? 'allow_once' : 'reject_once'),
    );
    if (option === undefined) return CANCELLED;
    return { result: { outcome: { outcome: 'selected', optionId: option.optionId } } };
  }

  async #verdict(call: ToolCall, { locations }: CallTold): Promise<'allow' | 'deny'> {
    if (this.#tools.parks) return 'deny';
    const where = locations == null ? call.args : { ...call.args, locations };
    if (await entersHome(this.#closed, where)) return 'deny';
    const verdict = await this.#host.permit(call);
    if (verdict === 'park') {
      this.#permits.push(call);
      this.#tools.park();
    }
    return verdict === 'allow' ? 'allow' : 'deny';
  }
}

const CANCELLED: RpcReply = { result: { outcome: { outcome: 'cancelled' } } };
