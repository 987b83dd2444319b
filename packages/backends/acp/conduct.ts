import type { BackendTurn } from '@hearth/engine/backend.ts';
import { HOST_LINE } from '@hearth/engine/host-line.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';
import type { Ending, EventQueue } from '../agent-programs/event-queue.ts';
import type { Watchdog } from '../agent-programs/watchdog.ts';
import { failed } from '../model-api/failure.ts';
import { fitted, objectIn } from '../model-api/output.ts';
import { PartialText, watchedField } from '../model-api/partial-reply.ts';
import type { OwnTools } from '../own-tools/own-tools.ts';
import type { Permissions } from './permissions.ts';
import { spelled, toolName } from './tool-names.ts';
import { Update } from './wire.ts';

/** How often an answer that does not fit its schema is asked for again. */
const REPAIRS = 2;

/** How often an agent that stops when it is denied a call is told to go on without it. */
const DENIALS = 10;

/** Kinds of calls that only look. */
const READS: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch']);

/** What one turn of the agent's is played with. */
export interface ConductParts {
  readonly turn: BackendTurn;
  readonly tools: OwnTools;
  readonly permissions: Permissions;
  readonly dog: Watchdog;
  readonly events: EventQueue;
  /** The agent, as a person calls it. */
  readonly who: string;
}

type Call = Extract<Update, { sessionUpdate: 'tool_call' | 'tool_call_update' }>;

const Params = z.looseObject({ update: Update });

/** Makes the turn's events of what an agent tells, and the turn's ending of how it stopped. */
export class Conduct {
  readonly #parts: ConductParts;
  readonly #watched: string | null;
  /** The agent's own tools that work, by call, and how they were called. */
  readonly #open = new Map<string, string>();
  #words = '';
  #draft: PartialText | null = null;
  #shown = '';
  #repairs = 0;
  #denials = 0;
  #began = false;

  constructor(parts: ConductParts) {
    this.#parts = parts;
    this.#watched = watchedField(parts.turn.output);
  }

  /** Whether something may have happened: a tool was called, or words came out. */
  get began(): boolean {
    return this.#began || this.#parts.tools.called;
  }

  /** An agent that is denied a call may stop, or tell it as an error of its own; either way it can be told to go on. */
  get denied(): boolean {
    return this.#parts.permissions.denied.length > 0;
  }

  heard(params: JsonObject): void {
    const update = Params.safeParse(params).data?.update;
    if (update === undefined) return;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#said(update.content.text);
      case 'tool_call':
      case 'tool_call_update':
        return this.#called(update);
      case 'usage_update':
        return void this.#parts.events.push({ type: 'context', used: update.used, window: update.size });
      case 'agent_thought_chunk':
        return;
    }
  }

  /** The parked ending, when a person is waited for. */
  parked(): Ending | null {
    const { tools, permissions } = this.#parts;
    return tools.parks ? { type: 'parked', asks: tools.asks, permits: permissions.permits } : null;
  }

  /** How the turn ends when the agent has stopped; or what it is to be told to repair its answer. */
  ended(reason: string): Ending | { readonly repair: string } {
    const parked = this.parked();
    if (parked !== null) return parked;
    const { who, turn, permissions } = this.#parts;
    const denied = permissions.stopped();
    if (reason === 'cancelled' && denied.length > 0) {
      const names = denied.join(', ');
      this.#denials += 1;
      this.#forget();
      if (this.#denials > DENIALS) {
        const message = `${who} stopped again and again at calls that may not be made here: ${names}.`;
        return failed({ code: 'protocol', message }, this.began);
      }
      return {
        repair: `${HOST_LINE}This may not be done here, and nothing of it was done: ${names}. Go on without it.`,
      };
    }
    if (reason === 'refusal') {
      return failed(
        { code: 'protocol', message: `${who} refused to go on; say it differently.` },
        this.began,
      );
    }
    if (reason === 'max_turn_requests') {
      return failed(
        { code: 'protocol', message: `${who} gave up after too many steps of its own; try again.` },
        true,
      );
    }
    const text = this.#words.trim();
    this.#forget();
    if (turn.output === null) return { type: 'done', output: { text }, text };
    const object = objectIn(text);
    const fit = fitted(turn.output, object);
    if (fit.ok) {
      const { reply } = fit.output;
      return { type: 'done', output: fit.output, text: typeof reply === 'string' ? reply : '' };
    }
    const why = object === null ? 'it is no JSON object' : fit.why;
    this.#repairs += 1;
    if (this.#repairs > REPAIRS) {
      const message = `${who} gave no answer of the form that the bot asks for, even after it was told what is wrong: ${why}.`;
      return failed({ code: 'schema', message }, true);
    }
    return {
      repair: `Your answer does not have the form that was asked for: ${why}. Answer again, with the JSON object alone.`,
    };
  }

  #said(text: string): void {
    this.#began = true;
    this.#words += text;
    const structured = this.#watched !== null && /^\s*(?:```(?:json)?\s*)?\{/.test(this.#words);
    if (structured && this.#draft === null) this.#draft = new PartialText(this.#watched ?? '');
    const draft = structured ? (this.#draft?.add(text) ?? '') : this.#words;
    // An object that has just begun is nobody's to read.
    if (draft === '' || draft === this.#shown || (!structured && /^\s*(?:`{1,3}\w*\s*)?$/.test(draft)))
      return;
    this.#shown = draft;
    void this.#parts.events.push({ type: 'draft', text: draft });
  }

  #called(call: Call): void {
    const { toolCallId: id, status } = call;
    const told = this.#parts.permissions.told(call);
    this.#narrate();
    const ended = status === 'completed' || status === 'failed';
    if (ended) this.#parts.dog.end(id);
    else this.#parts.dog.begin(id);
    const known = this.#open.get(id);
    // The engine reports Hearth's own tools itself.
    if (known === undefined && (call.sessionUpdate !== 'tool_call' || this.#isOwn(told.title ?? ''))) return;
    this.#began = true;
    const name = known ?? toolName(told);
    const mutates = told.kind != null && READS.has(told.kind) ? false : null;
    if (known === undefined) {
      this.#open.set(id, name);
      const { title } = told;
      const shown = title == null || title === '' ? {} : { title: title.slice(0, 200) };
      void this.#parts.events.push({ type: 'tool', call: id, name, change: 'started', mutates, ...shown });
    }
    if (!ended) return;
    this.#open.delete(id);
    const change = this.#parts.permissions.refused(id) ? 'denied' : status;
    void this.#parts.events.push({ type: 'tool', call: id, name, change, mutates });
  }

  #isOwn(title: string): boolean {
    return this.#parts.tools.grants.some(({ name }) => spelled(name).some(one => title.endsWith(one)));
  }

  /** Words that a call follows are no answer. */
  #narrate(): void {
    const words = this.#words.trim();
    this.#forget();
    if (words !== '' && objectIn(words) === null)
      void this.#parts.events.push({ type: 'narration', text: words });
  }

  #forget(): void {
    this.#words = '';
    this.#draft = null;
    this.#shown = '';
  }
}
