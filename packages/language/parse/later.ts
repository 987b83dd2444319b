/*
 * Words of the wider language that this version does not know yet. Each gets one clear diagnostic; an issue that
 * adds one removes its word here.
 */

const DECLARATIONS: ReadonlySet<string> = new Set(
  `artifact review secrets supervisor dsl import contract group use subbot emit wait await_answers fail`.split(
    ' ',
  ),
);

const PROPERTIES: ReadonlySet<string> = new Set(
  `requires actions reader lint title fallbacks skills permission allow ask deny timeout full_access images compress
  auto_memory needs artifact_labels resources contract loop_budget_guard repo_devbox workspace_checkpoint
  idempotent parallel_safe goal postcondition policy recovery action connection params retry session_slot
  host_event_field review_url posture merge_strategy merge_into max_turns`.split(/\s+/),
);

const CLAUSES: ReadonlyMap<string, string> = new Map([
  ['else', '`else` edges'],
  ['on', '`on` edges'],
  ['opens', '`opens` edges'],
  ['->', 'chained edges'],
]);

export function isLaterDeclaration(word: string): boolean {
  return DECLARATIONS.has(word);
}

export function isLaterProperty(word: string): boolean {
  return PROPERTIES.has(word);
}

/** The name of the feature that an edge clause belongs to, when it is one of the wider language. */
export function laterClause(text: string): string | undefined {
  return CLAUSES.get(text);
}
