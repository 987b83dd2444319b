import type { RecordingStep } from '@hearth/backends/replay/recording.ts';
import { canonicalJson, type Json } from '@hearth/protocol/json.ts';

/*
 * Holds what a replay gave against what was recorded. Where the run goes another way, that is told and nothing behind it,
 * since all of it follows from there; a changed shape is told and the comparison goes on; words may differ.
 */

/** One thing that a replay gave otherwise. */
export interface Difference {
  /** `routing`: another node, edge, pause or end. `shape`: other fields, types or options. `words`: other text only. */
  readonly what: 'routing' | 'shape' | 'words';
  /** The person's message that the run was at, from 1. */
  readonly message: number;
  /** One sentence. */
  readonly text: string;
}

/** What is compared: all that the engine makes, and which session and tools it gives a backend. */
type Compared = Extract<
  RecordingStep,
  { is: 'started' | 'computed' | 'went' | 'opened' | 'closed' | 'replied' | 'ended' | 'session' | 'called' }
>;

const COMPARED: ReadonlySet<string> = new Set<Compared['is']>([
  'started',
  'computed',
  'went',
  'opened',
  'closed',
  'replied',
  'ended',
  'session',
  'called',
]);

interface Placed {
  readonly step: Compared;
  readonly message: number;
}

/** `stopped` says why the play could not go on; `null` when it came to its end. */
export function compare(
  before: readonly RecordingStep[],
  now: readonly RecordingStep[],
  stopped: string | null,
): readonly Difference[] {
  const [was, is] = [placed(before), placed(now)];
  const found: Difference[] = [];
  for (let at = 0; at < Math.max(was.length, is.length); at += 1) {
    const [old, fresh] = [was[at], is[at]];
    const message = old?.message ?? fresh?.message ?? 1;
    if (old === undefined || fresh === undefined || placeOf(old.step) !== placeOf(fresh.step)) {
      const [then, here] = [described(old?.step), described(fresh?.step)];
      const why = stopped === null ? '' : ` ${stopped}`;
      found.push({ what: 'routing', message, text: `It was recorded that ${then}; now ${here}.${why}` });
      return found;
    }
    found.push(...details(old.step, fresh.step).map(difference => ({ ...difference, message })));
  }
  if (stopped !== null) {
    const message = was.at(-1)?.message ?? 1;
    found.push({ what: 'routing', message, text: stopped });
  }
  return found;
}

function placed(steps: readonly RecordingStep[]): Placed[] {
  let message = 0;
  const found: Placed[] = [];
  for (const step of steps) {
    if (step.is === 'message') message = step.message;
    if (isCompared(step)) found.push({ step, message: Math.max(1, message) });
  }
  return found;
}

function isCompared(step: RecordingStep): step is Compared {
  return COMPARED.has(step.is);
}

/** Where the run is; two steps of one place differ at most in their details. */
function placeOf(step: Compared): string {
  switch (step.is) {
    case 'started':
      return canonicalJson(['started', step.kind, step.node, step.branch]);
    case 'computed':
      return canonicalJson(['computed', step.node]);
    case 'went':
      return canonicalJson(['went', step.node, step.iteration, step.to, step.loop ?? null]);
    case 'opened':
      return canonicalJson(['opened', step.pause, step.kind, step.node]);
    case 'closed':
      return canonicalJson(['closed', step.pause, step.how]);
    case 'replied':
      return 'replied';
    case 'ended':
      return canonicalJson(['ended', step.reason, step.code ?? null]);
    case 'session':
      return canonicalJson(['session', step.effect, step.how]);
    case 'called':
      return canonicalJson(['called', step.effect, step.name]);
  }
}

function described(step: Compared | undefined): string {
  if (step === undefined) return 'nothing more happened';
  switch (step.is) {
    case 'started':
      return `"${step.node}" started${step.branch === null ? '' : ` in the branch "${step.branch}"`}`;
    case 'computed':
      return `"${step.node}" was worked out`;
    case 'went':
      return `"${step.node}" led to "${step.to}"${step.loop === undefined ? '' : ` through the loop "${step.loop}"`} in round ${step.iteration}`;
    case 'opened':
      return `a ${step.kind} pause opened at "${step.node}"`;
    case 'closed':
      return `pause ${step.pause} was ${step.how}`;
    case 'replied':
      return 'the bot replied';
    case 'ended':
      return `the run ended (${step.code ?? step.reason})`;
    case 'session':
      return `the session of turn ${step.effect} was ${step.how}`;
    case 'called':
      return `the tool "${step.name}" was called in turn ${step.effect}`;
  }
}

function details(before: Compared, now: Compared): Omit<Difference, 'message'>[] {
  if (before.is === 'computed' && now.is === 'computed') {
    return of(
      `What "${now.node}" gives`,
      shapeOf(before.output),
      shapeOf(now.output),
      before.output,
      now.output,
    );
  }
  if (before.is === 'opened' && now.is === 'opened') {
    const [old, fresh] = [
      { options: before.options, fields: before.fields ?? null },
      { options: now.options, fields: now.fields ?? null },
    ];
    const name = `What the pause at "${now.node}" offers`;
    return of(name, canonicalJson(old), canonicalJson(fresh), before.text, now.text);
  }
  if (before.is === 'session' && now.is === 'session') return told(before, now);
  if (before.is === 'replied' && now.is === 'replied') return of('The reply', '', '', before.text, now.text);
  return [];
}

type SessionStep = Extract<Compared, { is: 'session' }>;

/** Whether a call is told the same, byte for byte; a recording that is older than the digest does not say. */
function told(before: SessionStep, now: SessionStep): Omit<Difference, 'message'>[] {
  const { projection } = before;
  if (projection === undefined || now.projection === undefined || projection === now.projection) return [];
  return [{ what: 'words', text: `What turn ${now.effect} is told is no longer what was recorded.` }];
}

function of(name: string, was: string, is: string, before: Json, now: Json): Omit<Difference, 'message'>[] {
  if (was !== is) return [{ what: 'shape', text: `${name} was ${was}; now it is ${is}.` }];
  if (canonicalJson(before) === canonicalJson(now)) return [];
  return [{ what: 'words', text: `${name} says something else: ${short(before)} is now ${short(now)}.` }];
}

/** The fields of a value with their types, as `{n:number,tags:[string]}`. */
function shapeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join('|')}]`;
  if (typeof value !== 'object') return typeof value;
  const fields = Object.entries(value).map(([key, inner]) => `${key}:${shapeOf(inner)}`);
  return `{${fields.sort().join(',')}}`;
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}
