import type { Compaction } from '@hearth/engine/backend.ts';
import { HOST_LINE } from '@hearth/engine/host-line.ts';
import type { Entry, Line } from './line.ts';

/*
 * What a request is made from. Pure. A session only grows; a `compacted` line says that a summary stands for what is
 * above a place in it. What was asked in the turn under way stays word for word, however old it is.
 */

/** Where a session is shortened when neither the node nor the workflow says so: a part of the context window. */
const THRESHOLD = 0.8;
/** How many of the latest messages then stay. */
const RECENT = 6;
/** A token is about four characters; used only for what a provider has not counted. */
const CHARS_PER_TOKEN = 4;
/** A picture fills about as much of a context as so many characters. */
const CHARS_PER_PICTURE = 6000;

/** The lines that the next request is made from: all, or a summary and what came after it. */
export function remembered(lines: readonly Entry[]): readonly Line[] {
  const at = lines.findLastIndex(line => line.line === 'compacted');
  const last = lines[at];
  if (last?.line !== 'compacted') return lines;
  const from = placeOf(lines, last.from);
  const begins = lines.findLastIndex((line, index) => {
    return index < at && line.line === 'turn' && line.of === undefined;
  });
  const asked = lines.filter((line, index) => line.line === 'words' && index > begins && index < from);
  return [summaryOf(last), ...(begins < 0 ? [] : asked), ...lines.slice(from)];
}

/** Where in a session an entry is; at its end when it is not in it. */
function placeOf(lines: readonly Entry[], id: number): number {
  const at = lines.findIndex(line => line.id === id);
  return at < 0 ? lines.length : at;
}

/** What a summary is made of when the session is cut: the lines that go, and the summary before it. */
export function dropped(lines: readonly Entry[], { from }: Cut): readonly Line[] {
  const last = lines.findLast(line => line.line === 'compacted');
  const to = placeOf(lines, from);
  return last?.line === 'compacted'
    ? [summaryOf(last), ...lines.slice(placeOf(lines, last.from), to)]
    : lines.slice(0, to);
}

function summaryOf({ summary }: Extract<Line, { line: 'compacted' }>): Line {
  const text = `${HOST_LINE}What was said before is shortened to this summary, which you wrote:\n\n${summary}`;
  return { line: 'words', text };
}

/** Where to shorten: what is above the entry `from` goes into the summary. Counts are of messages; a step's results are part of it. */
export interface Cut {
  readonly from: number;
  readonly kept: number;
  readonly dropped: number;
}

/**
 * Where a session is shortened; `null` when that would be of no use. `overfull`: the provider refused it already, so that
 * at least half of it goes, whatever should have stayed.
 */
export function cutOf(
  lines: readonly Entry[],
  wanted: Compaction | undefined,
  overfull: boolean,
): Cut | null {
  const last = lines.findLast(line => line.line === 'compacted');
  const start = last?.line === 'compacted' ? placeOf(lines, last.from) : 0;
  const places = lines.flatMap((line, at) => (at >= start && isMessage(line) ? [at] : []));
  const recent = wanted?.preserveRecent ?? RECENT;
  const kept = overfull ? Math.max(1, Math.min(recent, Math.floor(places.length / 2))) : recent;
  const old = places.length - kept;
  const at = places[old];
  const from = at === undefined ? undefined : lines[at]?.id;
  if (old <= 0 || at === undefined || from === undefined) return null;
  // What stays is nearly all of it: a summary would only be made again at every step.
  if (!overfull && charsOf(lines.slice(start, at)) * 4 < charsOf(lines.slice(start))) return null;
  return { from, kept, dropped: old };
}

/** Whether the next request fills more of the context than is wanted. A window that is unknown is never full. */
export function isFull(
  lines: readonly Entry[],
  wanted: Compaction | undefined,
  window: number | null,
): boolean {
  return window !== null && tokensOf(lines) > (wanted?.threshold ?? THRESHOLD) * window;
}

/** Tokens of the next request: what the provider counted at the latest step, and an estimate of what came since. */
function tokensOf(lines: readonly Entry[]): number {
  return countedTokens(lines) ?? charsOf(remembered(lines)) / CHARS_PER_TOKEN;
}

/** The same; `null` when the provider has counted nothing since the session was last shortened. */
export function countedTokens(lines: readonly Entry[]): number | null {
  const shortened = lines.findLastIndex(line => line.line === 'compacted');
  const at = lines.findLastIndex(line => line.line === 'step' && line.tokens !== undefined);
  const step = lines[at];
  if (at < shortened || step?.line !== 'step' || step.tokens === undefined) return null;
  return step.tokens + Math.floor(charsOf(lines.slice(at + 1)) / CHARS_PER_TOKEN);
}

function charsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + sizeOf(line), 0);
}

function sizeOf(line: Line): number {
  if (line.line === 'words') return line.text.length + (line.pictures?.length ?? 0) * CHARS_PER_PICTURE;
  if (line.line === 'reply') return line.text.length;
  if (line.line === 'step') return JSON.stringify(line.parts).length;
  return line.line === 'result' ? JSON.stringify(line.content).length : 0;
}

function isMessage(line: Line): boolean {
  return line.line === 'words' || line.line === 'reply' || line.line === 'step';
}
