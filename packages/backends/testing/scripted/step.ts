import type { BackendEvent, BackendFailure, BackendTurn, InboxMessage } from '@hearth/engine/backend.ts';
import type { ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { Option } from '@hearth/protocol/pause.ts';
import type { Clock } from '@hearth/store/clock.ts';

/** What a step may look at: the turn it belongs to and what happened in it so far. */
export interface StepView {
  readonly turn: BackendTurn;
  /** Results of this turn's tool calls, in order. */
  readonly results: readonly ToolResult[];
  /** Every message offered to this turn so far, in order. */
  readonly offered: readonly InboxMessage[];
}

/** One step of a script. Make them with the functions below; `name` is what `ScriptedBackend.count` counts. */
export type Step = { readonly name: string } & (
  | { readonly is: 'emit'; readonly events: readonly BackendEvent[] }
  | { readonly is: 'tool'; readonly tool: string; readonly args: JsonObject; readonly call?: string }
  | { readonly is: 'take' }
  | { readonly is: 'seen' }
  | { readonly is: 'offered'; readonly count: number }
  | { readonly is: 'gate'; readonly open: Promise<unknown> }
  | { readonly is: 'sleep'; readonly clock: Clock; readonly ms: number }
  | { readonly is: 'die'; readonly error: Error }
  | { readonly is: 'end'; readonly make: (view: StepView) => BackendEvent }
);

/** The whole text of the step so far, as one draft. */
export function draft(text: string): Step {
  return { name: 'draft', is: 'emit', events: [{ type: 'draft', text }] };
}

/** `count` growing drafts: `1`, `1 2`, `1 2 3`… */
export function stream(count: number): Step {
  const events = Array.from({ length: count }, (_, at): BackendEvent => {
    return {
      type: 'draft',
      text: Array.from({ length: at + 1 }, (_word, number) => String(number + 1)).join(' '),
    };
  });
  return { name: 'stream', is: 'emit', events };
}

export function narrate(text: string): Step {
  return { name: 'narrate', is: 'emit', events: [{ type: 'narration', text }] };
}

/** Any other events: usage, context, a native tool. */
export function emit(...events: readonly BackendEvent[]): Step {
  return { name: 'emit', is: 'emit', events };
}

/** Calls a tool through the host and keeps its result for `done`. Without `call`, ids are made per turn: `s1`, `s2`… */
export function tool(name: string, args: JsonObject = {}, call?: string): Step {
  return { name: `tool ${name}`, is: 'tool', tool: name, args, ...(call === undefined ? {} : { call }) };
}

/** Takes what was offered and not yet taken; says nothing when there is nothing. */
export function take(): Step {
  return { name: 'take', is: 'take' };
}

/** Says that the messages taken so far were seen. */
export function seen(): Step {
  return { name: 'seen', is: 'seen' };
}

/** Waits until this turn was offered `count` messages. */
export function awaitOffers(count: number): Step {
  return { name: 'offered', is: 'offered', count };
}

/** Waits for a promise of the test's own. */
export function gate(open: Promise<unknown>): Step {
  return { name: 'gate', is: 'gate', open };
}

export function sleep(clock: Clock, ms: number): Step {
  return { name: 'sleep', is: 'sleep', clock, ms };
}

/** Makes the iterator itself reject, which no honest backend does. */
export function die(message: string): Step {
  return { name: 'die', is: 'die', error: new Error(message) };
}

/** Parks with one question. */
export function ask(
  text: string,
  options: readonly Option[] = [],
  more: { allowFreeText?: boolean; call?: string } = {},
): Step {
  const asked = { text, options, allowFreeText: more.allowFreeText ?? options.length === 0 };
  const asks = [more.call === undefined ? asked : { ...asked, call: more.call }];
  return { name: 'ask', is: 'end', make: () => ({ type: 'parked', asks, permits: [] }) };
}

/** Ends the turn with any event, several asks or permits for one. */
export function end(make: (view: StepView) => BackendEvent): Step {
  return { name: 'end', is: 'end', make };
}

export function fail(code: BackendFailure, message = `scripted ${code}`, began = false): Step {
  return { name: 'fail', is: 'end', make: () => ({ type: 'failed', code, message, began }) };
}

/** Ends the turn well; `output` may be made from what happened in the turn. */
export function done(output: JsonObject | ((view: StepView) => JsonObject), text?: string): Step {
  return {
    name: 'done',
    is: 'end',
    make: view => {
      const made = typeof output === 'function' ? output(view) : output;
      const reply = made['reply'];
      return { type: 'done', output: made, text: text ?? (typeof reply === 'string' ? reply : '') };
    },
  };
}

/** Ends a chat turn with a whole envelope around `text`. */
export function reply(text: string | ((view: StepView) => string), envelope: JsonObject = {}): Step {
  const step = done(view => ({
    reply: typeof text === 'string' ? text : text(view),
    close: false,
    quick_replies: [],
    dispatched_ids: [],
    ...envelope,
  }));
  return { ...step, name: 'reply' };
}
