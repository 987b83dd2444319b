import { Acp } from '@hearth/backends/acp/backend.ts';
import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import { type AgentKind, agentStage } from '../support/agent-stage.ts';

/* A real agent of the Agent Client Protocol keeps the promises of the port. */

const acp: AgentKind = {
  name: 'acp',
  dialect: { tool: name => `mcp__hearth__${name}`, answer: null },
  sessions: 'claude',
  prepare: ({ provider, clock, home }) => {
    const env = {
      HOME: home,
      PATH: process.env['PATH'],
      HEARTH_ACP: JSON.stringify([process.execPath, process.env['HEARTH_TEST_CLAUDE_CODE_ACP']]),
      CLAUDE_CODE_EXECUTABLE: process.env['HEARTH_TEST_CLAUDE_CODE'],
      ANTHROPIC_API_KEY: 'sk-fake-0123456789',
      ANTHROPIC_BASE_URL: provider.address,
    };
    return () => new Acp({ clock, env, patience: { leave: 3000, term: 1000 } });
  },
};

conforms({ name: 'acp', open: () => agentStage(acp), deaths: 4 });
