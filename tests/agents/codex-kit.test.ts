import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Codex } from '@hearth/backends/codex/backend.ts';
import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import { type AgentKind, agentStage } from '../support/agent-stage.ts';

/* The real Codex keeps the promises of the port, on the provider that the person's own configuration names. */

const KEY = 'sk-fake-0123456789';

const config = (address: string): string => `
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

const codex: AgentKind = {
  name: 'codex',
  dialect: { tool: name => name, namespace: 'mcp__hearth', answer: null },
  sessions: 'codex',
  prepare: ({ provider, clock, home }) => {
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), config(provider.address));
    const env = {
      HOME: home,
      PATH: process.env['PATH'],
      HEARTH_CODEX: process.env['HEARTH_TEST_CODEX'],
      FAKE_KEY: KEY,
    };
    return () => new Codex({ clock, env, patience: { leave: 3000, term: 1000 } });
  },
  problems: directory => [
    ...(holds(directory, KEY) ? ['the key is in the directory of the conversation'] : []),
    ...(holds(directory, 'a-server-of-the-persons') ? ["a server of the person's took part"] : []),
    ...readdirSync(join(directory, 'codex')).filter(name => name !== 'sessions'),
  ],
};

function holds(directory: string, text: string): boolean {
  try {
    execFileSync('grep', ['-rqaF', text, directory]);
    return true;
  } catch {
    return false;
  }
}

conforms({ name: 'codex', open: () => agentStage(codex), deaths: 6 });
