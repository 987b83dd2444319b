import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import { claudeCode } from '../support/agent-kinds.ts';
import { agentStage } from '../support/agent-stage.ts';

/* The real Claude Code keeps the promises of the port. */

conforms({ name: 'claude-code', open: () => agentStage(claudeCode), deaths: 6 });
