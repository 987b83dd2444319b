import { z } from 'zod';
import { Digest, Instant } from './ids.ts';

/** One version of an artifact. Versions count from 1 per artifact and are never reused; written `interpretation@3`. */
export const ArtifactRef = z.object({ artifact: z.string(), version: z.int().positive(), digest: Digest });
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** Where an artifact's current version stands. */
export const ArtifactStatus = z.enum([
  'pending',
  'confirmed',
  'superseded',
  'invalidated',
  'withdrawn',
  'closed',
]);
export type ArtifactStatus = z.infer<typeof ArtifactStatus>;

/** A lint finding, shown beside an artifact's body and never inside it. */
export const Finding = z.object({
  code: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  message: z.string(),
  line: z.int().positive().exactOptional(),
});
export type Finding = z.infer<typeof Finding>;

/** Who made a version: the node and its effect, and the model's session where one made it. */
export const ArtifactMaker = z.object({
  node: z.string(),
  effect: z.string(),
  backend: z.string().nullable(),
  model: z.string().nullable(),
  session: z.string().nullable(),
});
export type ArtifactMaker = z.infer<typeof ArtifactMaker>;

/** One version, whole. It never changes, so it may be kept for as long as one likes. */
export const ArtifactVersion = z.object({
  ref: ArtifactRef,
  /** Exactly as its maker wrote it. */
  body: z.string(),
  /** What it was made from. */
  from: z.array(ArtifactRef),
  madeBy: ArtifactMaker,
  findings: z.array(Finding),
  /** The person's words that asked for this version; `null` for a first draft. */
  feedback: z.string().nullable(),
  at: Instant,
});
export type ArtifactVersion = z.infer<typeof ArtifactVersion>;

/** A line of what changed from one version to another; `left`: how many lines that are the same are left out there. */
export const LineChange = z.discriminatedUnion('is', [
  z.object({ is: z.enum(['same', 'added', 'removed']), text: z.string() }),
  z.object({ is: z.literal('left'), lines: z.int().positive() }),
]);
export type LineChange = z.infer<typeof LineChange>;

/** What changed since an earlier version, found by comparing the two texts. It is a help for reading and nothing more. */
export const ArtifactChanges = z.object({
  since: z.int().positive(),
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  lines: z.array(LineChange),
});
export type ArtifactChanges = z.infer<typeof ArtifactChanges>;

/** The answer of GET `…/artifacts/{name}/{version}`; with `?since=N` it tells what changed since version N. */
export const ArtifactAnswer = ArtifactVersion.extend({ changes: ArtifactChanges.exactOptional() });
export type ArtifactAnswer = z.infer<typeof ArtifactAnswer>;
