import type { Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import type { RpcReply } from '../agent-programs/json-rpc.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import { Approval, Questions } from './wire.ts';

/*
 * What the program asks before it goes on. Permission is the host's to give, for exactly the call that is shown; a question
 * of the program's own becomes one of Hearth's. Nothing is ever answered for a person.
 */
export class Approvals {
  readonly #host: Host;
  readonly #tools: OwnTools;
  readonly #permits: ToolCall[] = [];
  /** Changes of files that were told before they are asked about, by item. */
  readonly #changes = new Map<string, readonly string[]>();

  constructor(host: Host, tools: OwnTools) {
    this.#host = host;
    this.#tools = tools;
  }

  /** Calls that wait for a person. */
  get permits(): readonly ToolCall[] {
    return this.#permits;
  }

  /** The program is about to change files. */
  changes(item: string, paths: readonly string[]): void {
    this.#changes.set(item, paths);
  }

  answer(method: string, params: JsonObject): Promise<RpcReply> | null {
    const { itemId, command } = Approval.safeParse(params).data ?? { itemId: '', command: null };
    switch (method) {
      case 'item/commandExecution/requestApproval':
        return this.#permit({ id: itemId, name: 'shell', args: { command: command ?? '' } });
      case 'item/fileChange/requestApproval':
        return this.#permit({
          id: itemId,
          name: 'apply_patch',
          args: { paths: [...(this.#changes.get(itemId) ?? [])] },
        });
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

  async #permit(call: ToolCall): Promise<RpcReply> {
    const verdict = this.#tools.parks ? 'deny' : await this.#host.permit(call);
    if (verdict === 'park') this.#permits.push(call);
    return { result: { decision: verdict === 'allow' ? 'accept' : 'decline' } };
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

function said(result: Json): Promise<RpcReply> {
  return Promise.resolve({ result });
}
