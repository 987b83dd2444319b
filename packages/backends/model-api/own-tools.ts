import type { ToolGrant } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';

/*
 * The tool that is the backend's own: the answer that ends a turn whose output has a schema. Like the question to the
 * person it is not run: the loop reads its arguments.
 */

/** The name of that tool; where the output has a schema, a call of it is read and never run. */
export const FINAL_ANSWER = 'final_answer';

/** The tool by which a turn ends whose output has a schema. */
export function finalAnswer(schema: JsonObject): ToolGrant {
  return {
    name: FINAL_ANSWER,
    description:
      'Ends the turn with its result. Call it once, alone, when everything else is done; the person reads what its fields say, so do not write the same as text.',
    input: schema,
    mutates: false,
    origin: 'native',
  };
}
