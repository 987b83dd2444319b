/*
 * Words of the wider language that profile 2 does not know yet. Each is passed over with one clear diagnostic; what adds
 * one removes its word here. In profile 1 they mean nothing.
 */

const DECLARATIONS: ReadonlySet<string> = new Set(
  `supervisor contract group use subbot emit wait`.split(' '),
);

const PROPERTIES: ReadonlySet<string> = new Set(
  `description fallbacks skills timeout full_access images compress auto_memory needs artifact_labels resources contract
  repo_devbox workspace_checkpoint publish parallel_safe goal postcondition policy recovery action
  connection params retry host_event_field review_url posture merge_strategy merge_into max_turns over key
  depends_on`.split(/\s+/),
);

/** Whether a word begins a declaration of the wider language, which is passed over. */
export function isLaterDeclaration(word: string): boolean {
  return DECLARATIONS.has(word);
}

/** Whether a word is a property of the wider language, which is passed over. */
export function isLaterProperty(word: string): boolean {
  return PROPERTIES.has(word);
}
