import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { PartialText } from '../model-api/partial-reply.ts';
import { ANSWER, mutates, ownName } from './tool-names.ts';
import type { Line, ResultLine, Usage } from './wire.ts';

/*
 * Turns the program's lines into events: what is written while it is written, words that are no answer, what its own tools
 * came to, and what was used. Pure. Whatever subagents say to each other stays with them.
 */

/** At most this much of what a tool said, in characters. */
const DETAIL = 2000;
const TITLE = 120;

/** Reads the lines of one process, in the order in which they came. */
export class Reader {
  /** A word came out. */
  spoke = false;
  /** How often an answer of the form was asked for again. */
  repairs = 0;
  readonly #watched: string | null;
  readonly #running = new Map<string, string>();
  #text = '';
  #partial: PartialText | null = null;
  #drawn = '';
  /** Words of the present step of which it is not known yet whether they are the answer. */
  #pending = '';
  #used = 0;

  /** `watched` is the field of the answer that is shown while it grows. */
  constructor(watched: string | null) {
    this.#watched = watched;
  }

  /** Words that stand beside the answer; looking forgets them. */
  beside(): string {
    const words = this.#pending;
    this.#pending = '';
    return words;
  }

  /** A native tool starts. */
  started(call: string, name: string, args: JsonObject): BackendEvent {
    this.#running.set(call, name);
    return {
      type: 'tool',
      call,
      name,
      change: 'started',
      title: titleOf(name, args),
      mutates: mutates(name),
    };
  }

  *read(line: Line): Generator<BackendEvent> {
    if ('parent_tool_use_id' in line && typeof line.parent_tool_use_id === 'string') return;
    if (line.type === 'stream_event') yield* this.#streamed(line.event);
    else if (line.type === 'assistant') yield* this.#said(line);
    else if (line.type === 'user') yield* this.#came(line);
    else if (line.type === 'system' && line.subtype === 'compact_boundary') {
      yield { type: 'compacted', kept: 0, dropped: line.compact_metadata?.pre_tokens ?? 0 };
    }
  }

  /** What a part of the turn used. */
  *used(result: ResultLine): Generator<BackendEvent> {
    const costs = Object.values(result.model_usage_since_last_result ?? {}).map(one => one.costUSD ?? null);
    const priced = costs.length > 0 && costs.every(cost => cost !== null);
    const costUsd = priced ? costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) : null;
    const tokens = tokensOf(result.usage);
    if (tokens > 0 || costUsd !== null) {
      const spend = { activeMs: 0, tokens, costUsd, iterations: 0, unpriced: costUsd === null ? 1 : 0 };
      yield { type: 'usage', spend, cumulative: false };
    }
    const windows = Object.values(result.modelUsage ?? {}).flatMap(one => one.contextWindow ?? []);
    const [window] = windows;
    if (window !== undefined && this.#used > 0) yield { type: 'context', used: this.#used, window };
  }

  *#streamed(event: Extract<Line, { type: 'stream_event' }>['event']): Generator<BackendEvent> {
    if (event.type === 'message_start') {
      this.#text = '';
      this.#partial = null;
      this.#drawn = '';
    } else if (event.type === 'content_block_start') {
      const watched = event.content_block.name === ANSWER ? this.#watched : null;
      this.#partial = watched === null ? null : new PartialText(watched);
    } else if (event.type === 'message_delta') {
      this.#used = tokensOf(event.usage) || this.#used;
    } else if (event.delta.type === 'text_delta') {
      this.spoke = true;
      this.#text += event.delta.text ?? '';
      yield { type: 'draft', text: this.#text };
    } else if (event.delta.type === 'input_json_delta' && this.#partial !== null) {
      this.spoke = true;
      const shown = this.#partial.add(event.delta.partial_json ?? '') ?? '';
      if (shown !== '' && shown !== this.#drawn) yield { type: 'draft', text: shown };
      this.#drawn = shown;
    }
  }

  *#said({ message, error }: Extract<Line, { type: 'assistant' }>): Generator<BackendEvent> {
    // What the program says in the model's place tells of an error, which the result tells better.
    if (message.model === '<synthetic>' || error !== undefined) return;
    for (const block of message.content) {
      if (block.type === 'text' && block.text.trim() !== '') {
        this.spoke = true;
        this.#pending = [this.#pending, block.text.trim()].filter(part => part !== '').join('\n');
      } else if (block.type === 'tool_use' && block.name !== ANSWER) yield* this.#narrated();
    }
  }

  *#narrated(): Generator<BackendEvent> {
    const text = this.beside();
    if (text !== '') yield { type: 'narration', text };
  }

  *#came({ message, isSynthetic }: Extract<Line, { type: 'user' }>): Generator<BackendEvent> {
    for (const block of message.content) {
      if (block.type === 'text' && isSynthetic === true && block.text.includes('structured-output-enforce')) {
        this.repairs += 1;
        yield* this.#narrated();
      }
      if (block.type !== 'tool_result') continue;
      const name = this.#running.get(block.tool_use_id);
      if (name === undefined) continue;
      this.#running.delete(block.tool_use_id);
      const change = block.is_error ? 'failed' : 'completed';
      const detail = wordsOf(block.content).slice(0, DETAIL);
      yield {
        type: 'tool',
        call: block.tool_use_id,
        name,
        change,
        mutates: mutates(name),
        ...(detail === '' ? {} : { detail }),
      };
    }
  }
}

/** Whether a tool is the program's own. */
export function isNative(name: string): boolean {
  return ownName(name) === null && name !== ANSWER;
}

/** One line for surfaces, from the arguments. */
export function titleOf(name: string, args: JsonObject): string {
  const first = Object.values(args).find(value => typeof value === 'string');
  const words = typeof first === 'string' ? first.replaceAll(/\s+/g, ' ').trim() : '';
  return `${name} ${words}`.trim().slice(0, TITLE);
}

function tokensOf(usage: Usage): number {
  if (usage === null || usage === undefined) return 0;
  const { input_tokens: input, output_tokens: output } = usage;
  return input + output + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? [part.text]
        : [],
    )
    .join('\n');
}
