import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { ServedTurn } from '../own-tools/loopback.ts';
import { SERVER } from '../own-tools/mcp.ts';
import { temporaryDirectory } from './home.ts';
import type { Environment } from '../agent-programs/ports.ts';

/*
 * How the program is started for a turn. Arguments can be read by everybody on the machine: they hold switches alone. Its
 * own tools are off unless the node names them, and so is everything that would put words into the prompt which are not
 * the turn's.
 */

/** Where the program keeps what is its own, below the turn's directory. */
export const OWN_DIRECTORY = 'codex';
/** The variable that holds the secret of the turn's tools. */
const SECRET = 'HEARTH_TOOLS_SECRET';

/** The program's own tools, by the names that a node writes, and the features that bring them. */
const NATIVE: Readonly<Record<string, readonly string[]>> = {
  shell: ['shell_tool', 'unified_exec'],
  view_image: ['view_image'],
  web_search: [],
};

/**
 * Features that show the model tools or words of the program's own, or that run the person's profile, whose processes outlive
 * the program.
 */
const OFF: readonly string[] = [
  'apps',
  'browser_use',
  'computer_use',
  'goals',
  'hooks',
  'image_generation',
  'in_app_browser',
  'multi_agent',
  'plugins',
  'shell_snapshot',
  'shell_tool',
  'skill_mcp_dependency_install',
  'sleep_tool',
  'tool_suggest',
  'unified_exec',
  'view_image',
];

/** Names that sources written elsewhere use for the program's own tools. */
const ALIASES: Readonly<Record<string, string>> = { exec_command: 'shell', local_shell: 'shell' };

/** The program's own tools that the node may use. */
export function nativeNames({ native = [] }: Pick<BackendTurn, 'native'>): readonly string[] {
  const names = native.map(name => ALIASES[name] ?? name);
  return [...new Set(names)].filter(name => Object.hasOwn(NATIVE, name));
}

/** The arguments of a turn. */
export function argumentsOf(
  native: readonly string[],
  served: Pick<ServedTurn, 'address'>,
): readonly string[] {
  const on = new Set(native.flatMap(name => NATIVE[name] ?? []));
  const config: Readonly<Record<string, string>> = {
    web_search: native.includes('web_search') ? '"live"' : '"disabled"',
    'skills.bundled.enabled': 'false',
    'tools.experimental_request_user_input.enabled': 'false',
    include_permissions_instructions: String(native.includes('shell')),
    include_environment_context: String(native.includes('shell')),
    include_apps_instructions: 'false',
    project_doc_max_bytes: '0',
    check_for_update_on_startup: 'false',
    'analytics.enabled': 'false',
    'history.persistence': '"none"',
    allow_login_shell: 'false',
    cli_auth_credentials_store: '"file"',
    'shell_environment_policy.inherit': '"core"',
    // In the sandbox a bash that is the first one takes itself for one at the end of a network, and reads its .bashrc.
    'shell_environment_policy.set': '{SHLVL="1"}',
    [`mcp_servers.${SERVER}`]: server(served),
  };
  return [
    'app-server',
    ...OFF.filter(feature => !on.has(feature)).flatMap(feature => ['--disable', feature]),
    ...Object.entries(config).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
}

/** Hearth's tools, which may take as long as they like and which the host alone allows or refuses. */
function server({ address }: Pick<ServedTurn, 'address'>): string {
  const settings = [
    `url="${address}"`,
    `bearer_token_env_var="${SECRET}"`,
    'tool_timeout_sec=86400',
    'required=true',
    'default_tools_approval_mode="approve"',
  ];
  return `{${settings.join(',')}}`;
}

/** What leads to the person's provider. Their keys are added by the name that their configuration gives. */
const PASSED =
  /^(?:(?:HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|CODEX_CA_CERTIFICATE|AWS_\w+)$/i;

/** What is added to the service's environment. */
export function programEnvironment(
  env: Environment,
  home: string,
  keys: readonly string[],
  served?: Pick<ServedTurn, 'secret'>,
): Record<string, string> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (PASSED.test(entry[0]) || keys.includes(entry[0])),
  );
  return {
    ...Object.fromEntries(passed),
    CODEX_HOME: home,
    TMPDIR: temporaryDirectory(home),
    ...(served === undefined ? {} : { [SECRET]: served.secret }),
  };
}
