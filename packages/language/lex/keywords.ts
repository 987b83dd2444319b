/** The reserved words of profile 1. All but one may also name things; a prompt's name must not be one of them. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `vars presets attachments file image mcp_server prompt schema agent judge router join human tool workflow
  compute entry mcp budget transport servers disable autoload_project model input output publish system user session
  tools tool_policy capabilities tool_max_steps reasoning_effort mode strategy require instructions command script
  language args url auth readonly backend default_backend provider interaction interaction_prompt interaction_model
  await when not as with enum fresh inherit inherit_if_available artifacts_only fork fan_out_all condition round_robin
  llm multi wait_all best_effort true false string bool int float json max_parallel_branches max_duration max_cost_usd
  max_tokens max_iterations compaction threshold preserve_recent memory enabled scope autoload read write
  pre_compact_inject worktree sandbox cursor cursors values bands done fail`.split(/\s+/),
);

export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}

/** Whether a word may name a node, a schema, a field and so on. */
export function isName(word: string): boolean {
  return word !== 'inherit_if_available' && word !== 'string[]';
}
