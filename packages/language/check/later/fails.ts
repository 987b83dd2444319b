import { parseTemplate } from '../../refs/template-parser.ts';
import type { Rule } from '../rule.ts';

/** Words parted by single underscores. A repeated group in one pattern would take a stack as deep as the code is long. */
function isWrittenLikeCode(text: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(text) && !/__|_$/.test(text);
}

/** Codes with which the engine itself ends or stops a run; a bot's own could not be told from them. */
const OURS: readonly string[] = [
  'ASKED_TOO_OFTEN',
  'BUDGET_EXCEEDED',
  'CANCELLED',
  'EXPRESSION_FAILED',
  'FAIL_NODE',
  'JOIN_FAILED',
  'LOOP_EXHAUSTED',
  'NODE_NOT_FOUND',
  'NOTHING_TO_REVIEW',
  'NO_OUTGOING_EDGE',
  'PLAN_CHANGED',
  'SCHEMA_VALIDATION',
  'STOPPED',
  'TIMEOUT',
  'TOOL_FAILED_PERMANENT',
  'TOOL_FAILED_TRANSIENT',
  'WORKSPACE_SAFETY',
];

/** C247, C248, C004: the code of a `fail` node is written like one and is the bot's own; its message can be read. */
export const failCodes: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'fail') continue;
    const { code, message } = syntax.properties;
    const problem = message ? parseTemplate(message.value, model.file.profile).problem : null;
    if (message && problem) {
      report.error('C004', `the message of \`${node}\` has ${problem.message}`, { at: message.at, node });
    }
    if (code === undefined) continue;
    const place = { at: code.at, node };
    if (!isWrittenLikeCode(code.value)) {
      const fix = `write it like \`${likeCode(code.value)}\``;
      report.error('C247', `\`${code.value}\` is not written like a code`, { ...place, fix });
    } else if (OURS.includes(code.value)) {
      report.error('C248', `\`${code.value}\` is a code of the engine`, {
        ...place,
        fix: 'choose another one',
      });
    }
  }
};

function likeCode(text: string): string {
  const words = text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .replace(/_$/, '');
  return words === '' ? 'NOT_FOUND' : words;
}
