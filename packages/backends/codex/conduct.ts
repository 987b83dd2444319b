import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { MessageId } from '@hearth/protocol/ids.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { Ending, EventQueue } from '../agent-programs/event-queue.ts';
import type { Watchdog } from '../agent-programs/watchdog.ts';
import { failed } from '../model-api/failure.ts';
import { costOf, factsOf } from '../model-api/models.ts';
import { fitted, objectIn } from '../model-api/output.ts';
import { PartialText, watchedField } from '../model-api/partial-reply.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import type { Approvals } from './approvals.ts';
import { codexFailure } from './failure.ts';
import { plainCommand } from './shell-words.ts';
import { AgentMessage, Delta, type Item, OfItem, Ran, type TurnError, Usage, UserMessage } from './wire.ts';

/** How often an answer that does not fit its schema is asked for again. */
const REPAIRS = 2;

/** The program's own kinds of work, by the names that a node writes, and whether each changes something. */
const WORK: Readonly<Record<string, { readonly name: string; readonly mutates: boolean }>> = {
  commandExecution: { name: 'shell', mutates: true },
  fileChange: { name: 'apply_patch', mutates: true },
  webSearch: { name: 'web_search', mutates: false },
  imageView: { name: 'view_image', mutates: false },
};

/** What one turn of the program's is played with. */
export interface ConductParts {
  readonly turn: BackendTurn;
  readonly tools: OwnTools;
  readonly approvals: Approvals;
  readonly dog: Watchdog;
  readonly events: EventQueue;
}

/** Makes the turn's events of what the program says, and its ending of how the program's turn ended. */
export class Conduct {
  /** The model that answers, once it is known. */
  model = '';
  /** What the provider charges is known by the model's name. */
  priced = false;
  readonly #parts: ConductParts;
  readonly #taken = new Map<string, MessageId>();
  readonly #drafts = new Map<string, { text: string; readonly field: PartialText | null }>();
  readonly #watched: string | null;
  /** The latest words of the agent, which are the answer unless something follows. */
  #words: string | null = null;
  #unseen: MessageId[] = [];
  #repairs = 0;
  #began = false;
  #spoke = false;

  constructor(parts: ConductParts) {
    this.#parts = parts;
    this.#watched = watchedField(parts.turn.output);
  }

  /** Whether something may have happened: a tool was called, or words came out. */
  get began(): boolean {
    return this.#began || this.#parts.tools.called;
  }

  /** The program has acknowledged a message, under an id of the session's. */
  taken(message: MessageId, id: string): void {
    this.#taken.set(id, message);
    void this.#parts.events.push({ type: 'taken', messages: [message] });
  }

  heard(method: string, params: JsonObject): void {
    if (method === 'item/agentMessage/delta') return this.#draft(params);
    if (method === 'thread/tokenUsage/updated') return this.#used(params);
    const item = OfItem.safeParse(params).data?.item;
    if (item === undefined) return;
    if (method === 'item/started') this.#started(item);
    if (method === 'item/completed') this.#completed(item);
  }

  /** The parked ending, when a person is waited for. */
  parked(): Ending | null {
    const { tools, approvals } = this.#parts;
    return tools.parks ? { type: 'parked', asks: tools.asks, permits: approvals.permits } : null;
  }

  /** How the turn ends when the program's turn has; or what the program is to be told to repair its answer. */
  ended(
    status: string,
    error: TurnError | null,
    now: number,
  ): Ending | { readonly repair: string; readonly number: number } {
    const parked = this.parked();
    if (parked !== null) return parked;
    if (status !== 'completed')
      return failed(codexFailure(error, { model: this.model, began: this.#spoke, now }), this.began);
    const text = this.#words ?? '';
    const { output } = this.#parts.turn;
    if (output === null) return { type: 'done', output: { text }, text };
    const object = objectIn(text);
    const fit = fitted(output, object);
    if (fit.ok) {
      const { reply } = fit.output;
      return { type: 'done', output: fit.output, text: typeof reply === 'string' ? reply : '' };
    }
    const why = object === null ? 'it is no JSON object' : fit.why;
    this.#words = null;
    this.#repairs += 1;
    if (this.#repairs > REPAIRS) {
      const message = `Codex gave no answer of the form that the bot asks for, even after it was told what is wrong: ${why}.`;
      return failed({ code: 'schema', message }, true);
    }
    return {
      repair: `Your answer does not have the form that was asked for: ${why}. Answer again with every field.`,
      number: this.#repairs,
    };
  }

  #draft(params: JsonObject): void {
    const delta = Delta.safeParse(params).data;
    if (delta === undefined) return;
    this.#began = true;
    this.#spoke = true;
    this.#answered();
    const field = this.#watched === null ? null : new PartialText(this.#watched);
    const draft = this.#drafts.get(delta.itemId) ?? { text: '', field };
    this.#drafts.set(delta.itemId, draft);
    const before = draft.text;
    if (draft.field === null || !/^\s*\{/.test(before === '' ? delta.delta : before))
      draft.text += delta.delta;
    else draft.text = draft.field.add(delta.delta) ?? draft.text;
    const shown = draft.text;
    if (shown !== before && shown !== '') void this.#parts.events.push({ type: 'draft', text: shown });
  }

  #started(item: Item): void {
    if (item.type === 'userMessage') return this.#joined(item);
    const work = Object.hasOwn(WORK, item.type) ? WORK[item.type] : undefined;
    if (item.type === 'mcpToolCall' || item.type === 'dynamicToolCall' || work !== undefined) {
      this.#answered();
      this.#narrate();
      this.#parts.dog.begin(item.id);
    }
    if (work === undefined) return;
    this.#began = true;
    const { command, query, changes } = Ran.parse(item);
    this.#parts.approvals.changes(item.id, changes);
    const title = plainCommand(command) || query || changes.map(({ path }) => path).join(', ');
    void this.#parts.events.push({
      type: 'tool',
      call: item.id,
      name: work.name,
      change: 'started',
      mutates: work.mutates,
      ...(title === '' ? {} : { title: title.slice(0, 200) }),
    });
  }

  #completed(item: Item): void {
    if (item.type === 'agentMessage') {
      this.#answered();
      this.#narrate();
      this.#words = AgentMessage.safeParse(item).data?.text ?? null;
      return;
    }
    this.#parts.dog.end(item.id);
    const work = Object.hasOwn(WORK, item.type) ? WORK[item.type] : undefined;
    if (work === undefined) return;
    const { status } = Ran.parse(item);
    const change = status === 'declined' ? 'denied' : status === 'failed' ? 'failed' : 'completed';
    void this.#parts.events.push({
      type: 'tool',
      call: item.id,
      name: work.name,
      change,
      mutates: work.mutates,
    });
  }

  /** A message of the person's stands in the thread: what comes next has seen it. */
  #joined(item: Item): void {
    const message = this.#taken.get(UserMessage.safeParse(item).data?.clientId ?? '');
    if (message === undefined) return;
    this.#narrate();
    this.#unseen.push(message);
  }

  /** The model goes on, and has read what joined. */
  #answered(): void {
    if (this.#unseen.length === 0) return;
    void this.#parts.events.push({ type: 'seen', messages: this.#unseen.splice(0) });
  }

  /** Words that something follows are no answer. */
  #narrate(): void {
    const words = this.#words?.trim() ?? '';
    this.#words = null;
    if (words === '') return;
    const reply = objectIn(words)?.[this.#watched ?? 'reply'];
    const text = typeof reply === 'string' ? reply : words;
    if (text.trim() !== '') void this.#parts.events.push({ type: 'narration', text });
  }

  #used(params: JsonObject): void {
    const usage = Usage.safeParse(params).data?.tokenUsage;
    if (usage === undefined) return;
    const { last, modelContextWindow: window } = usage;
    const tokens = {
      input: last.inputTokens,
      output: last.outputTokens,
      cacheRead: last.cachedInputTokens,
      cacheWrite: last.cacheWriteInputTokens,
    };
    const costUsd = this.priced ? costOf(factsOf('openai', this.model), tokens) : null;
    const spend = {
      activeMs: 0,
      tokens: tokens.input + tokens.output,
      costUsd,
      iterations: 0,
      unpriced: costUsd === null ? 1 : 0,
    };
    void this.#parts.events.push({ type: 'usage', spend, cumulative: false });
    if (window != null) void this.#parts.events.push({ type: 'context', used: last.totalTokens, window });
  }
}
