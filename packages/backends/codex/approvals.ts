import type { BackendTurn, Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import { canonicalJson, type Json, type JsonObject } from '@hearth/protocol/json.ts';
import type { RpcReply } from '../agent-programs/json-rpc.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import { plainCommand } from './shell-words.ts';
import { Approval, type Change, Questions } from './wire.ts';

/*
 * What the program asks before it goes on. Permission is the host's to give, for exactly the call that is shown; a question
 * of the program's own becomes one of Hearth's. Nothing is ever answered for a person, and nothing is allowed that its
 * sandbox keeps a command from.
 */
export class Approvals {
  readonly #turn: Pick<BackendTurn, 'workspace' | 'directory'>;
  readonly #host: Host;
  readonly #tools: OwnTools;
  readonly #permits: ToolCall[] = [];
  /** Changes of files that were told before they are asked about, by item. */
  readonly #changes = new Map<string, readonly Change[]>();

  constructor(turn: Pick<BackendTurn, 'workspace' | 'directory'>, host: Host, tools: OwnTools) {
    this.#turn = turn;
    this.#host = host;
    this.#tools = tools;
  }

  /** Calls that wait for a person. */
  get permits(): readonly ToolCall[] {
    return this.#permits;
  }

  /** The program is about to change files. */
  changes(item: string, changes: readonly Change[]): void {
    this.#changes.set(item, changes);
  }

  answer(method: string, params: JsonObject): Promise<RpcReply> | null {
    switch (method) {
      case 'item/commandExecution/requestApproval':
        return this.#command(params);
      case 'item/fileChange/requestApproval': {
        const { itemId: id, grantRoot } = Approval.parse(params);
        if (grantRoot != null) return DECLINED;
        return this.#permit({
          id,
          name: 'apply_patch',
          args: { changes: [...(this.#changes.get(id) ?? [])] },
        });
      }
      case 'item/permissions/requestApproval':
        return said({ permissions: {}, scope: 'turn' });
      case 'mcpServer/elicitation/request':
        return said({ action: 'decline', content: null, _meta: null });
      case 'item/tool/requestUserInput':
        return said({ answers: this.#questions(params) });
      default:
        return null;
    }
  }

  /** A command, or what is written to one that works. More than the sandbox gives is nothing that leave could be given for. */
  #command(params: JsonObject): Promise<RpcReply> {
    const { itemId, approvalId, kind, command, cwd, ...more } = Approval.parse(params);
    if (more.networkApprovalContext != null || more.additionalPermissions != null) return DECLINED;
    const text = command ?? '';
    const elsewhere = cwd == null || cwd === (this.#turn.workspace ?? this.#turn.directory) ? {} : { cwd };
    const what: JsonObject = kind === 'command' ? { command: plainCommand(text) } : { [kind]: text };
    return this.#permit({ id: approvalId ?? itemId, name: 'shell', args: { ...what, ...elsewhere } });
  }

  /** Calls of one step come together: each is judged for itself, unless something else waits for the person. */
  async #permit(call: ToolCall): Promise<RpcReply> {
    const waits = this.#tools.parks && this.#permits.length === 0;
    const verdict = waits ? 'deny' : await this.#host.permit(call);
    if (verdict === 'park') {
      this.#tools.park();
      if (!this.#permits.some(one => sameCall(one, call))) this.#permits.push(call);
    }
    return verdict === 'allow' ? { result: { decision: 'accept' } } : await DECLINED;
  }

  #questions(params: JsonObject): JsonObject {
    const { itemId, questions } = Questions.safeParse(params).data ?? { itemId: '', questions: [] };
    return Object.fromEntries(
      questions.map(({ id, question, isOther, options }) => {
        const { text } = this.#tools.ask({
          call: `${itemId}-${id}`,
          text: question,
          options: (options ?? []).map(({ label, description }) => ({
            id: label,
            label,
            ...(description === '' ? {} : { detail: description }),
          })),
          allowFreeText: isOther || options == null,
        });
        return [id, { answers: [text] }];
      }),
    );
  }
}

const DECLINED: Promise<RpcReply> = said({ decision: 'decline' });

function said(result: Json): Promise<RpcReply> {
  return Promise.resolve({ result });
}

/** A model that is told that a call waits may make it once more before it ends its turn. */
function sameCall(one: ToolCall, other: ToolCall): boolean {
  return one.name === other.name && canonicalJson(one.args) === canonicalJson(other.args);
}
