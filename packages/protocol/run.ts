import { z } from 'zod';
import { Actor } from './actor.ts';
import { Digest, EffectId, Instant, PauseId, RunId, TurnId } from './ids.ts';
import { Axis, LedgerName, Spend } from './spend.ts';

/**
 * How a run stands: `working`, `waiting` for a person, `paused` by one, `idle` at home base, or how it ended.
 */
export const RunStatus = z.enum([
  'working',
  'waiting',
  'paused',
  'idle',
  'done',
  'failed',
  'cancelled',
  'closed',
  'reset',
]);
export type RunStatus = z.infer<typeof RunStatus>;

const step = {
  n: z.int().positive(),
  at: Instant,
  turn: TurnId.exactOptional(),
  branch: z.string().exactOptional(),
};

/**
 * One thing that a run did, for looking back. `n` is the number of the commit that it was part of. Names, codes and figures
 * only: what was said is in the history, and what a provider or a tool said is nowhere here.
 */
export const RunStep = z.discriminatedUnion('is', [
  z.object({
    ...step,
    is: z.literal('run'),
    change: z.enum(['started', 'ended', 'replanned', 'paused', 'resumed', 'cancelled']),
    plan: Digest.exactOptional(),
    reason: z.string().exactOptional(),
    code: z.string().exactOptional(),
    by: Actor.exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('turn'),
    change: z.string(),
    code: z.string().exactOptional(),
    spend: Spend.exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('node'),
    node: z.string(),
    iteration: z.int().nonnegative(),
    change: z.enum(['started', 'ended', 'failed', 'skipped']),
    /** Where the token went, and by which loop. */
    to: z.string().exactOptional(),
    loop: z.string().exactOptional(),
    /** Where it went on at once, in a branch each. */
    forks: z.array(z.object({ to: z.string(), loop: z.string().exactOptional() })).exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('effect'),
    effect: EffectId,
    /** What it runs for; unknown when the beginning is not kept any more. */
    node: z.string().nullable(),
    change: z.enum(['started', 'done', 'parked', 'stopped', 'failed', 'cut']),
    attempt: z.int().positive().exactOptional(),
    code: z.string().exactOptional(),
    spend: Spend.exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('session'),
    node: z.string(),
    backend: z.string(),
    change: z.string(),
    reason: z.string().exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('tool'),
    name: z.string(),
    change: z.enum(['started', 'completed', 'failed', 'denied']),
    ms: z.number().exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('pause'),
    pause: PauseId,
    kind: z.string(),
    node: z.string(),
    cause: z.string().exactOptional(),
    code: z.string().exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('answer'),
    pause: PauseId,
    how: z.string(),
    by: Actor,
    choice: z.string().exactOptional(),
  }),
  z.object({
    ...step,
    is: z.literal('budget'),
    ledger: LedgerName,
    axis: Axis,
    change: z.string(),
    used: z.number(),
    limit: z.number(),
  }),
  z.object({
    ...step,
    is: z.literal('artifact'),
    artifact: z.string(),
    version: z.int(),
    change: z.string(),
  }),
  z.object({ ...step, is: z.literal('notice'), code: z.string(), severity: z.string() }),
]);
export type RunStep = z.infer<typeof RunStep>;

/** What a node of a run did in all. */
export const NodeFigures = z.object({
  node: z.string(),
  /** How often it began. */
  runs: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  spend: Spend,
});
export type NodeFigures = z.infer<typeof NodeFigures>;

/** A run in figures. They count what is kept: `dropped` commits of it were not, or not whole. */
export const RunSummary = z.object({
  run: RunId,
  status: RunStatus,
  /** The code with which it ended, if it has one. */
  code: z.string().exactOptional(),
  plan: Digest.nullable(),
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  dropped: z.int().nonnegative(),
  turns: z.int().nonnegative(),
  pauses: z.int().nonnegative(),
  spend: Spend,
  nodes: z.array(NodeFigures),
  tools: z.array(z.object({ name: z.string(), calls: z.int().nonnegative() })),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** GET `/conversations/{c}/runs`: those of the present epoch that are kept, the latest first. */
export const RunList = z.object({ runs: z.array(RunSummary) });
export type RunList = z.infer<typeof RunList>;

/** GET `/conversations/{c}/runs/{r}/trace`, oldest first; `dropped` commits are not kept, or not whole. */
export const RunTracePage = z.object({ run: RunId, dropped: z.int().nonnegative(), steps: z.array(RunStep) });
export type RunTracePage = z.infer<typeof RunTracePage>;

/** Where a node went on: nowhere yet, one way, or several at once. */
export function waysOf({
  to,
  loop,
  forks,
}: Extract<RunStep, { is: 'node' }>): readonly { readonly to: string; readonly loop?: string }[] {
  if (forks !== undefined) return forks;
  return to === undefined ? [] : [{ to, ...(loop === undefined ? {} : { loop }) }];
}
