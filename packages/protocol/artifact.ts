import { z } from 'zod';
import { Digest } from './ids.ts';

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
