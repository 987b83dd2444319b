import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import { claudeStage } from '../support/claude-stage.ts';

/* The real Claude Code keeps the promises of the port. */

conforms({ name: 'claude-code', open: () => claudeStage(), deaths: 6 });
