import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import { acp } from '../support/agent-kinds.ts';
import { agentStage } from '../support/agent-stage.ts';

/* A real agent of the Agent Client Protocol keeps the promises of the port. */

conforms({ name: 'acp', open: () => agentStage(acp), deaths: 4 });
