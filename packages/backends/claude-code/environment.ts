import { join } from 'node:path';
import type { Environment } from '../agent-programs/ports.ts';

/*
 * The environment of the program. Its settings and sessions are in the turn's directory, so that they leave with the
 * conversation; the person's login stays where it is and is read and renewed there (docs/adr/0061). What it needs to reach
 * the provider goes to it in the environment alone.
 */

/** Where the program keeps what is its own, below the turn's directory. */
export const OWN_DIRECTORY = 'claude-code';

/** What leads to the person's provider and proves who they are. */
const PASSED =
  /^(?:ANTHROPIC_|AWS_|GOOGLE_|GCLOUD_|CLOUDSDK_|VERTEX_|AZURE_|CLOUD_ML_REGION$|CLAUDE_CODE_(?:USE_|SKIP_|OAUTH_|API_KEY_HELPER_TTL_MS$|CLIENT_)|(?:HTTPS?|ALL|NO)_PROXY$|NODE_EXTRA_CA_CERTS$|SSL_CERT_FILE$|HOME$|PATH$|USER$|XDG_)/i;

/**
 * What the program is to do without: it asks again for nothing by itself, since the engine does and shows it; it writes no
 * memory of its own, fetches nothing but answers, and leaves no work behind that outlives the turn.
 */
const ABSTAINS: Readonly<Record<string, string>> = {
  CLAUDE_CODE_MAX_RETRIES: '0',
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
  CLAUDE_CODE_SKIP_MCP_DEBUG_LOG_FILES: '1',
  DISABLE_AUTOUPDATER: '1',
  // Tools that are looked for when needed would not be on the list that is checked.
  ENABLE_TOOL_SEARCH: 'false',
  // The answer and two repairs.
  MAX_STRUCTURED_OUTPUT_RETRIES: '3',
};

/** Where the person's own configuration is; empty for the usual place. */
export function loginDirectory(env: Environment): string {
  return env['CLAUDE_SECURESTORAGE_CONFIG_DIR'] ?? env['CLAUDE_CONFIG_DIR'] ?? '';
}

/** What is added to the service's environment for a turn that keeps its files in `directory`. */
export function programEnvironment(env: Environment, directory: string): Record<string, string> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && PASSED.test(entry[0]),
  );
  return {
    ...Object.fromEntries(passed),
    ...ABSTAINS,
    CLAUDE_CONFIG_DIR: join(directory, OWN_DIRECTORY),
    CLAUDE_SECURESTORAGE_CONFIG_DIR: loginDirectory(env),
    CLAUDE_CODE_TMPDIR: temporaryDirectory(directory),
    // What went wrong between it and Hearth's tools it would write down in the person's own cache.
    XDG_CACHE_HOME: temporaryDirectory(directory),
  };
}

/** What is left there is removed when the turn has ended. */
export function temporaryDirectory(directory: string): string {
  return join(directory, OWN_DIRECTORY, 'temporary');
}
