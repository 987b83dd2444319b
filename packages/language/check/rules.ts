import { attachments } from './attachments.ts';
import { discouragedBackends } from './backends.ts';
import { durations, nodeTokens } from './budget.ts';
import { capabilities } from './capabilities.ts';
import { cursorDeclarations, cursorSettings } from './cursors.ts';
import { durableMemory } from './durable-memory.ts';
import { edgeEnds } from './edge-ends.ts';
import { effort } from './effort.ts';
import { entry } from './entry.ts';
import { computeFields, guardExpressions } from './expressions.ts';
import { history } from './history.ts';
import { loopCaps, loopCapsAgree, loopCapsPositive } from './loops.ts';
import { browserServers, mcpAuth, mcpServers } from './mcp.ts';
import { compaction, memory } from './memory.ts';
import { memoryOverLoop } from './memory-over-loop.ts';
import { LATER_RULES } from './later/rules.ts';
import { nodeModels } from './models.ts';
import { nodeNames, promptNames, schemaNames } from './names.ts';
import { nodePrompts, nodeSchemas } from './node-parts.ts';
import { chatPauses } from './pauses.ts';
import { presets } from './presets.ts';
import { cycles, reachability } from './reachability.ts';
import { references } from './references.ts';
import { REVIEW_RULES } from './review/rules.ts';
import { routers } from './routers.ts';
import { conditionFields, conditions, plainEdges } from './routing.ts';
import type { Rule } from './rule.ts';
import { sandboxes } from './sandbox.ts';
import { convergingSessions } from './sessions.ts';
import { edgeTemplates, promptTemplates } from './templates.ts';
import { toolBodies } from './tools.ts';
import { unsupported } from './unsupported.ts';
import { withoutEffect } from './without-effect.ts';
import { worktree } from './worktree.ts';

/** All rules for a file that has a workflow, in the order in which their diagnostics come out: that of profile 1 (docs/adr/0021). */
export const RULES: readonly Rule[] = [
  mcpServers,
  schemaNames,
  promptNames,
  promptTemplates,
  cursorDeclarations,
  nodeNames,
  nodeSchemas,
  nodePrompts,
  nodeModels,
  discouragedBackends,
  toolBodies,
  computeFields,
  entry,
  presets,
  attachments,
  edgeEnds,
  edgeTemplates,
  guardExpressions,
  loopCaps,
  loopCapsAgree,
  durations,
  worktree,
  sandboxes,
  convergingSessions,
  plainEdges,
  routers,
  conditions,
  conditionFields,
  reachability,
  history,
  cycles,
  loopCapsPositive,
  effort,
  references,
  nodeTokens,
  mcpAuth,
  compaction,
  memory,
  browserServers,
  capabilities,
  cursorSettings,
  ...REVIEW_RULES,
  chatPauses,
  memoryOverLoop,
  durableMemory,
  ...LATER_RULES,
  unsupported,
  withoutEffect,
];
