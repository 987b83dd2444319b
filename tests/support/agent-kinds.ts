import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Acp } from '@hearth/backends/acp/backend.ts';
import { Detection } from '@hearth/backends/acp/detection.ts';
import type { Patience } from '@hearth/backends/agent-programs/agent-program.ts';
import { ClaudeCode } from '@hearth/backends/claude-code/backend.ts';
import { Codex } from '@hearth/backends/codex/backend.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { FakeCall, FakeProvider } from './fake-provider.ts';
import type { Dialect } from './provider-moves.ts';

/* The real agent programs that are tested, and what is particular to each. */

/** A key, to be looked for where it must not be. */
export const KEY = 'sk-ant-fake-0123456789abcdef';

/** Where a program finds its person and its provider. */
export interface AgentPlace {
  readonly provider: FakeProvider;
  /** The person's home. */
  readonly home: string;
}

/** What its backend is given. */
export interface AgentPorts {
  readonly clock: Clock;
  readonly env: Record<string, string>;
  readonly patience: Patience;
  /** Hearth's own home. */
  readonly home?: string;
}

/** What is particular to a program. */
export interface AgentKind {
  readonly name: 'claude-code' | 'codex' | 'acp';
  readonly dialect: Dialect;
  /** Where it keeps its sessions, below the turn's directory. */
  readonly sessions: string;
  /** Prepares the person's home; gives the environment of a service that finds the program there. */
  readonly environment: (place: AgentPlace) => Record<string, string>;
  readonly backend: (ports: AgentPorts) => Backend;
  /** What a bot writes to have the program's own shell; nothing where a bot cannot say which tools it has. */
  readonly tools: string;
  /** A command for that shell. */
  readonly shell: (command: string) => FakeCall;
  /** What is wrong with what it left in a turn's directory, besides the key. */
  readonly leaves?: (directory: string) => readonly string[];
}

const claudeTool = (name: string): string => `mcp__hearth__${name}`;
const bash = (command: string): FakeCall => ({ name: 'Bash', args: { command, description: 'x' } });
const CLAUDE = process.env['HEARTH_TEST_CLAUDE_CODE'] ?? '';

export const claudeCode: AgentKind = {
  name: 'claude-code',
  dialect: { tool: claudeTool, answer: 'StructuredOutput' },
  sessions: 'claude-code/projects',
  environment: ({ provider, home }) => ({
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HEARTH_CLAUDE: CLAUDE,
    ANTHROPIC_BASE_URL: provider.address,
    ANTHROPIC_API_KEY: KEY,
  }),
  backend: ports => new ClaudeCode(ports),
  tools: 'Bash',
  shell: bash,
};

/** The person's own configuration names their provider; nothing else of it takes part. */
const codexConfig = (address: string): string => `
model = "gpt-fake"
model_provider = "fake"
developer_instructions = "Words of the person's own sessions."
[model_providers.fake]
name = "Fake"
base_url = "${address}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[mcp_servers.theirs]
command = "a-server-of-the-persons"
`;

export const codex: AgentKind = {
  name: 'codex',
  dialect: { tool: name => name, namespace: 'mcp__hearth', answer: null },
  sessions: 'codex',
  environment: ({ provider, home }) => {
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), codexConfig(provider.address));
    return {
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      HEARTH_CODEX: process.env['HEARTH_TEST_CODEX'] ?? '',
      FAKE_KEY: KEY,
    };
  },
  backend: ports => new Codex(ports),
  tools: 'shell',
  shell: command => ({ name: 'exec_command', args: { cmd: command } }),
  leaves: directory => [
    ...(holds(directory, 'a-server-of-the-persons') ? ["a server of the person's took part"] : []),
    ...readdirSync(join(directory, 'codex')).filter(name => name !== 'sessions'),
  ],
};

/** To ask the agent who it is takes a start of it, and every stage would do it anew. The service looks by itself. */
let found: Detection | null = null;

export const acp: AgentKind = {
  name: 'acp',
  dialect: { tool: claudeTool, answer: null },
  sessions: 'claude',
  environment: ({ provider, home }) => ({
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    HEARTH_ACP: JSON.stringify([process.execPath, process.env['HEARTH_TEST_CLAUDE_CODE_ACP'] ?? '']),
    CLAUDE_CODE_EXECUTABLE: CLAUDE,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: provider.address,
  }),
  backend: ports => {
    found ??= new Detection(ports);
    return new Acp(ports, found);
  },
  tools: '',
  shell: bash,
};

/** Whether a text stands in any file below a directory. */
export function holds(directory: string, text: string): boolean {
  try {
    execFileSync('grep', ['-rqaF', text, directory]);
    return true;
  } catch {
    return false;
  }
}
