import { acp } from '../support/agent-kinds.ts';
import { agentScenarios } from '../support/agent-scenario.ts';

agentScenarios(acp);
