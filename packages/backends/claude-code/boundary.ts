import type { ToolGrant } from '@hearth/engine/tool.ts';
import type { Failure } from './failure.ts';
import { ANSWER, PREFIX } from './tool-names.ts';

/**
 * Whether the tools that the program says it shows its model are those that the node may use: a newer version may have tools
 * that nobody here knows of, and one that did not take Hearth's would only pretend to work. `null` when all is well.
 */
export function boundaryFault(
  shown: readonly string[],
  own: readonly Pick<ToolGrant, 'name'>[],
  native: readonly string[],
): Failure | null {
  const served = own.map(({ name }) => `${PREFIX}${name}`);
  const strange = shown.filter(name => ![...served, ...native, ANSWER].includes(name));
  const lacking = served.filter(name => !shown.includes(name));
  if (strange.length > 0) {
    return fault(`shows its model tools that the bot does not name: ${strange.join(', ')}`);
  }
  if (lacking.length > 0) return fault(`did not take these tools of Hearth: ${lacking.join(', ')}`);
  return null;
}

function fault(what: string): Failure {
  return { code: 'protocol', message: `Claude Code ${what}. The turn was stopped before anything began.` };
}
