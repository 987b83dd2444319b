import type { BackendEvent, ModelChoice } from '@hearth/engine/backend.ts';
import type { ToolGrant } from '@hearth/engine/tool.ts';
import { JsonObject } from '@hearth/protocol/json.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { ModelMessage, ToolSet } from 'ai';
import { z } from 'zod';
import type { Endpoint } from './detection.ts';
import { CutStream, Endless, Withheld } from './failure.ts';
import { languageModel } from './language-model.ts';
import type { Part } from './line.ts';
import type { Tokens } from './models.ts';
import { FINAL_ANSWER } from './own-tools.ts';
import { PartialText } from './partial-reply.ts';
import { Watch } from './watch.ts';

/*
 * One request to a model, streamed. It gives drafts while the answer grows and the whole answer at its end; an answer
 * that is cut, withheld or no answer at all is an error and never a shorter answer. Nothing is tried again here.
 */

/** What a model is asked. */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolGrant[];
  /** `free`: text or tools; `answer`: the only tool; `text`: no tool, though they are told of. */
  readonly mode: 'free' | 'answer' | 'text';
  readonly effort: ModelChoice['effort'];
  /** Tokens that the answer may have; `null`: as many as the provider lets it. */
  readonly maxTokens: number | null;
  /** The field of the final answer that is shown while it grows. */
  readonly watched: string | null;
  readonly quietMs: number;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Called when words or calls begin to come. */
  spoke(): void;
}

/** What a model answered. */
export interface Answered {
  readonly parts: readonly Part[];
  /** `null` when the provider does not say. */
  readonly tokens: Tokens | null;
  /** The answer ended at the limit of its length. */
  readonly full: boolean;
}

/** Asks once. Throws whatever `failureOf` can read. */
export async function* asked(request: Asked): AsyncGenerator<BackendEvent, Answered> {
  const { streamText, jsonSchema } = await import('ai');
  // The SDK would write its warnings to the standard output of the service.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const { endpoint, clock, quietMs, watched } = request;
  const watch = new Watch(clock, quietMs);
  const left = new AbortController();
  const tools: ToolSet = Object.fromEntries(
    request.tools.map(({ name, description, input }) => [
      name,
      { description, inputSchema: jsonSchema(input) },
    ]),
  );
  try {
    const result = streamText({
      model: await languageModel(endpoint, watch.watched(request.fetch)),
      ...instructions(request),
      messages: cached(request.messages),
      ...(request.tools.length === 0 ? {} : { tools, toolChoice: CHOICE[request.mode] }),
      ...effortOf(request.effort),
      ...(request.maxTokens === null ? {} : { maxOutputTokens: request.maxTokens }),
      maxRetries: 0,
      abortSignal: AbortSignal.any([request.signal, watch.signal, left.signal]),
      providerOptions: { openai: { store: false } },
      onError: () => undefined,
    });
    let text = '';
    let length = 0;
    /** Of each call, in order, whether its arguments were none. */
    const malformed: boolean[] = [];
    let disobeyed = false;
    let drawn = '';
    let answer: { readonly id: string; readonly text: PartialText | null } = { id: '', text: null };
    let end: { readonly tokens: Tokens | null; readonly full: boolean } | null = null;
    for await (const part of result.stream) {
      if (SPEAKING.has(part.type)) request.spoke();
      length += lengthOf(part);
      if (length > LONGEST) throw new Endless();
      if (part.type === 'text-delta') {
        text += part.text;
        yield { type: 'draft', text };
      } else if (part.type === 'tool-input-start' && part.toolName === FINAL_ANSWER) {
        answer = { id: part.id, text: watched === null ? null : new PartialText(watched) };
      } else if (part.type === 'tool-input-delta' && part.id === answer.id) {
        const shown = answer.text?.add(part.delta) ?? '';
        if (shown !== '' && shown !== drawn) yield { type: 'draft', text: shown };
        drawn = shown;
      } else if (part.type === 'finish-step') {
        const open = part.rawFinishReason === undefined && part.finishReason === 'other';
        if (!disobeyed && (open || CUT.has(part.finishReason))) throw new CutStream();
        if (part.finishReason === 'content-filter') throw new Withheld();
        end = { tokens: tokensOf(part.usage), full: part.finishReason === 'length' };
      } else if (part.type === 'tool-call') {
        malformed.push(argumentsOf(part.input) === null);
      } else if (part.type === 'error') {
        if (!isDisobedience(part.error)) throw part.error;
        disobeyed = true;
      }
    }
    request.signal.throwIfAborted();
    watch.signal.throwIfAborted();
    if (disobeyed) return { tokens: end?.tokens ?? null, full: false, parts: wordsOf(text) };
    if (end === null) throw new CutStream();
    return { ...end, parts: partsOf(await result.responseMessages, malformed) };
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.stop();
    left.abort();
  }
}

/** The model did not do what was asked for: its words are an answer like any other, which the loop judges. */
function isDisobedience(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_ToolChoiceViolationError';
}

function wordsOf(text: string): Part[] {
  return text.trim() === '' ? [] : [{ is: 'text', text }];
}

/** Longer answers have no end: many times what any model writes at once, in characters. */
const LONGEST = 8 * 1024 * 1024;

function lengthOf(part: {
  readonly type: string;
  readonly text?: unknown;
  readonly delta?: unknown;
}): number {
  const added = part.type === 'tool-input-delta' ? part.delta : part.text;
  return typeof added === 'string' ? added.length : 0;
}

/** How the SDK says that a stream ended before its answer did. */
const CUT: ReadonlySet<string> = new Set(['interrupted']);

const SPEAKING: ReadonlySet<string> = new Set(['text-delta', 'tool-input-start', 'tool-call']);

const CHOICE = {
  free: 'auto',
  answer: { type: 'tool', toolName: FINAL_ANSWER },
  text: 'none',
} as const;

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/** The system prompt and everything said so far are the same in the next request: the vendor may keep them. */
function instructions({ system }: Asked) {
  if (system.trim() === '') return {};
  const content = system.toWellFormed();
  return { instructions: { role: 'system' as const, content, providerOptions: CACHED } };
}

function cached(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, at) =>
    at === messages.length - 1 ? { ...message, providerOptions: CACHED } : message,
  );
}

const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']);

/** An effort that is not known is left to the provider. */
function effortOf(effort: string | null) {
  const known = Effort.safeParse(effort === 'max' ? 'xhigh' : effort);
  return known.success ? { reasoning: known.data } : {};
}

function tokensOf(usage: {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly inputTokenDetails?: {
    readonly cacheReadTokens: number | undefined;
    readonly cacheWriteTokens: number | undefined;
  };
}): Tokens | null {
  const { inputTokens: input, outputTokens: output, inputTokenDetails: details } = usage;
  if (input === undefined && output === undefined) return null;
  const counts = [input, output, details?.cacheReadTokens, details?.cacheWriteTokens];
  // A server whose counts are none does not count.
  if (!counts.every(count => count === undefined || isCount(count))) return null;
  const [all = 0, given = 0, cacheRead = 0, cacheWrite = 0] = counts;
  return { input: all, output: given, cacheRead, cacheWrite };
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= 1_000_000_000;
}

/** Arguments that are nested deeper than any tool's are none. */
const DEEPEST = 64;

/** The arguments of a call; `null` when they are none that a tool could be given. */
function argumentsOf(input: unknown): JsonObject | null {
  if (!isFlat(input, DEEPEST)) return null;
  return JsonObject.safeParse(input).data ?? null;
}

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(inner => isFlat(inner, levels - 1));
}

/** A part as plain JSON in which no character is half of one: it is told back to providers, and some refuse that. */
function wellFormed(part: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(part), (_name, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    );
  } catch {
    return null;
  }
}

const Only = z.record(z.string(), JsonObject).optional();

/** A part of the SDK's, as it is told back to a provider. */
const Told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), providerOptions: Only }),
  z.object({ type: z.literal('reasoning'), text: z.string(), providerOptions: Only }),
  z.object({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
    providerOptions: Only,
  }),
]);

function partsOf(
  messages: readonly { readonly role: string; readonly content: unknown }[],
  malformed: readonly boolean[],
): Part[] {
  let calls = 0;
  return messages
    .filter(message => message.role === 'assistant')
    .flatMap(({ content }) => (Array.isArray(content) ? content : [{ type: 'text', text: content }]))
    .flatMap(told => {
      const part = partOf(told);
      if (part?.is !== 'call') return part ?? [];
      calls += 1;
      // Servers give one id to several calls, so only the order tells which of them is meant.
      return malformed[calls - 1] === true ? { ...part, args: {}, malformed: true as const } : part;
    });
}

/** What is no text, no reasoning and no call of ours has no place in a transcript: `null`. */
function partOf(part: unknown): Part | null {
  const told = Told.safeParse(wellFormed(part));
  if (!told.success) return null;
  const { providerOptions } = told.data;
  const only = providerOptions === undefined ? {} : { only: providerOptions };
  if (told.data.type === 'text') {
    return told.data.text.trim() === '' ? null : { is: 'text', text: told.data.text, ...only };
  }
  if (told.data.type === 'reasoning') return { is: 'reasoning', text: told.data.text, ...only };
  const { toolCallId, toolName, input } = told.data;
  return {
    is: 'call',
    call: toolCallId,
    name: toolName,
    args: argumentsOf(input) ?? {},
    ...only,
  };
}
