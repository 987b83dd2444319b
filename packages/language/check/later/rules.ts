import type { Rule } from '../rule.ts';
import { elseEdges } from './else.ts';
import { expressionCalls, expressionTypes } from './expressions.ts';
import { failCodes } from './fails.ts';
import { declaredLoops, exhaustedLoops, unboundedLoops } from './loops.ts';
import { asyncBackends, modelChoices } from './models.ts';
import { answerFields, distinctBranches, loopGuard, memoryVisibility, sandboxOptOuts } from './nodes.ts';
import { passedDeclarations } from './passed-declarations.ts';
import { passedOverTogether, passedOverValues } from './passed-over.ts';
import { permissions } from './permissions.ts';
import { quotedReferences } from './quoted.ts';
import { asyncQuestions } from './async-questions.ts';
import { awaitedAnswers } from './awaited-answers.ts';
import { keptSessions } from './kept-sessions.ts';
import { emptySchemas } from './schemas.ts';
import { secretDeclarations, secretUses } from './secrets.ts';
import { varDeclarations } from './vars.ts';

/** Rules for what came with profile 2. They say nothing about a source of profile 1, whose verdicts stay as they were (docs/adr/0027). */
export const LATER_RULES: readonly Rule[] = [
  emptySchemas,
  secretDeclarations,
  failCodes,
  elseEdges,
  exhaustedLoops,
  declaredLoops,
  expressionCalls,
  expressionTypes,
  permissions,
  secretUses,
  keptSessions,
  varDeclarations,
  modelChoices,
  asyncBackends,
  quotedReferences,
  distinctBranches,
  sandboxOptOuts,
  answerFields,
  memoryVisibility,
  loopGuard,
  unboundedLoops,
  passedOverValues,
  passedOverTogether,
  passedDeclarations,
  asyncQuestions,
  awaitedAnswers,
].map(
  (rule): Rule =>
    (model, report) => {
      if (model.file.profile === 2) rule(model, report);
    },
);
