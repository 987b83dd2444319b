import type { Rule } from '../rule.ts';
import { actions } from './actions.ts';
import { artifactBodies, artifactCycles, artifactDeclarations, artifactNames } from './artifacts.ts';
import { pausesInBranches } from './branches.ts';
import { guardedInboxes, requirements, reviews } from './reviews.ts';
import { takenEdges } from './taken-edges.ts';

/** The rules about artifacts and what a person does with them. A source without these words gets at most a warning. */
export const REVIEW_RULES: readonly Rule[] = [
  artifactDeclarations,
  artifactNames,
  artifactCycles,
  artifactBodies,
  reviews,
  requirements,
  guardedInboxes,
  actions,
  takenEdges,
  pausesInBranches,
];
