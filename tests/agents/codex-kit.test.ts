import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import { codex } from '../support/agent-kinds.ts';
import { agentStage } from '../support/agent-stage.ts';

/* The real Codex keeps the promises of the port, on the provider that the person's own configuration names. */

conforms({ name: 'codex', open: () => agentStage(codex), deaths: 6 });
