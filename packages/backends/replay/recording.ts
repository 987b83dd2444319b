import { Act } from '@hearth/protocol/decision.ts';
import { Json, JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import { Option } from '@hearth/protocol/pause.ts';
import { Axis, LedgerName, Spend } from '@hearth/protocol/spend.ts';
import { Delivery } from '@hearth/protocol/view.ts';
import { z } from 'zod';

/*
 * A recording: what a person did and what backends gave in one run, in order, and what the engine made of it. One step a
 * line in `recordings/<name>.jsonl`, the first line says what it is (docs/adr/0049). Runs, turns, pauses, effects and
 * messages have no ids in it: they are counted from 1 in the order in which they came, so that another conversation can
 * be held against it.
 */

/** Counts a thing of one kind within the recording. */
const ordinal = z.int().positive();

/** The first line. */
export const RecordingHead = z.object({
  is: z.literal('recording'),
  format: z.literal(1),
  /** The bot's name. */
  bot: z.string(),
  /** The backends that gave the turns. */
  backends: z.array(z.string()),
});
export type RecordingHead = z.infer<typeof RecordingHead>;

const RecordedAsk = z.object({
  call: z.string().exactOptional(),
  text: z.string(),
  options: z.array(Option),
  allowFreeText: z.boolean(),
});

const RecordedPermit = z.object({ id: z.string(), tool: z.string(), args: JsonObject });
export type RecordedPermit = z.infer<typeof RecordedPermit>;

/** How an effect ended. */
export const RecordedOutcome = z.discriminatedUnion('is', [
  z.object({ is: z.literal('done'), output: z.record(z.string(), Json) }),
  z.object({
    is: z.literal('parked'),
    asks: z.array(RecordedAsk),
    /** Calls that a person was asked about. */
    permits: z.array(RecordedPermit).exactOptional(),
  }),
  z.object({ is: z.literal('stopped') }),
  z.object({
    is: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    began: z.boolean(),
    retryAfterMs: z.number().exactOptional(),
  }),
]);
export type RecordedOutcome = z.infer<typeof RecordedOutcome>;

/** What a person did. Played again as it is. */
export const PersonStep = z.discriminatedUnion('is', [
  z.object({ is: z.literal('message'), message: ordinal, text: z.string(), delivery: Delivery }),
  z.object({ is: z.literal('unsent'), message: ordinal }),
  z.object({
    is: z.literal('decision'),
    pause: ordinal,
    artifact: z.string().exactOptional(),
    version: z.int().positive().exactOptional(),
    act: Act,
  }),
  z.object({ is: z.literal('interrupt') }),
  /** The run was paused before its next step, let go on, or given up. */
  z.object({ is: z.literal('operate'), what: z.enum(['pause', 'resume', 'cancel']) }),
  z.object({ is: z.literal('raise'), ledger: LedgerName, axis: Axis, to: z.number() }),
  /** The service went down while something ran. */
  z.object({ is: z.literal('restart') }),
]);
export type PersonStep = z.infer<typeof PersonStep>;

/** What a backend did in the turn of an effect. Played again as it is. */
export const BackendStep = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('session'),
    effect: ordinal,
    how: z.string(),
    degraded: z.string().exactOptional(),
    /** The digest of what the call was told; older recordings do not say. */
    projection: z.string().exactOptional(),
  }),
  z.object({ is: z.literal('narration'), effect: ordinal, text: z.string() }),
  /** One of Hearth's own tools, with what came of it: `none` when the service went down before. */
  z.object({
    is: z.literal('called'),
    effect: ordinal,
    name: z.string(),
    title: z.string(),
    came: z.enum(['well', 'failed', 'none']),
    detail: z.string().exactOptional(),
  }),
  /** A tool of the backend's own. */
  z.object({
    is: z.literal('tool'),
    effect: ordinal,
    name: z.string(),
    change: z.enum(['started', 'completed', 'failed', 'denied']),
    title: z.string().exactOptional(),
  }),
  z.object({ is: z.enum(['taken', 'seen']), effect: ordinal, messages: z.array(ordinal) }),
  z.object({ is: z.literal('outcome'), effect: ordinal, outcome: RecordedOutcome, spend: Spend }),
]);
export type BackendStep = z.infer<typeof BackendStep>;

/** What the engine made of it. Compared, and never played. */
export const EngineStep = z.discriminatedUnion('is', [
  /** An effect was started. */
  z.object({
    is: z.literal('started'),
    effect: ordinal,
    kind: z.enum(['agent', 'tool']),
    node: z.string(),
    branch: z.string().nullable(),
  }),
  /** A node that needs nobody: its output. */
  z.object({ is: z.literal('computed'), node: z.string(), output: z.record(z.string(), Json) }),
  z.object({
    is: z.literal('went'),
    node: z.string(),
    iteration: z.int().nonnegative(),
    to: z.string(),
    loop: z.string().exactOptional(),
  }),
  z.object({
    is: z.literal('opened'),
    pause: ordinal,
    kind: z.string(),
    node: z.string(),
    text: z.string(),
    options: z.array(z.string()),
    fields: JsonSchema.exactOptional(),
  }),
  z.object({ is: z.literal('closed'), pause: ordinal, how: z.string() }),
  z.object({ is: z.literal('replied'), text: z.string() }),
  z.object({ is: z.literal('ended'), reason: z.string(), code: z.string().exactOptional() }),
]);
export type EngineStep = z.infer<typeof EngineStep>;

/** Every later line, in the order in which it happened. */
export const RecordingStep = z.union([PersonStep, BackendStep, EngineStep]);
export type RecordingStep = z.infer<typeof RecordingStep>;

/** A whole recording, read. */
export interface Recording {
  readonly head: RecordingHead;
  readonly steps: readonly RecordingStep[];
}

/** Why a text is no recording, and in which line, from 1. */
export interface RecordingFault {
  readonly line: number;
  readonly why: string;
}

/** Reads `recordings/<name>.jsonl`. Blank lines are passed over. */
export function parseRecording(
  text: string,
):
  | { readonly recording: Recording; readonly fault: null }
  | { readonly recording: null; readonly fault: RecordingFault } {
  let head: RecordingHead | null = null;
  const steps: RecordingStep[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    const bad = (why: string) => ({ recording: null, fault: { line: index + 1, why } });
    if (value === undefined) return bad('it is no JSON');
    if (head === null) {
      const read = RecordingHead.safeParse(value);
      if (!read.success)
        return bad('the first line must say {"is":"recording","format":1,"bot":…,"backends":[…]}');
      head = read.data;
      continue;
    }
    const read = RecordingStep.safeParse(value);
    if (!read.success) return bad(`it is no step of a recording (${nameOf(value)})`);
    steps.push(read.data);
  }
  if (head === null) return { recording: null, fault: { line: 1, why: 'it is empty' } };
  return { recording: { head, steps }, fault: null };
}

/** The text of `recordings/<name>.jsonl`. */
export function printRecording({ head, steps }: Recording): string {
  return [head, ...steps].map(line => `${JSON.stringify(line)}\n`).join('');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(value: unknown): string {
  const is = z.object({ is: z.string() }).safeParse(value).data?.is;
  return is === undefined ? 'it has no "is"' : `"is" is ${JSON.stringify(is)}`;
}
