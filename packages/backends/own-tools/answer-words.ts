import type { Answer, BackendTurn } from '@hearth/engine/backend.ts';
import type { Json } from '@hearth/protocol/json.ts';

/* How an agent reads a person's answer, the same on every backend. */

type Given = BackendTurn['answers'][number];

/** What is told of a question that nobody answers any more. */
export const WITHDRAWN: Json = {
  answered: false,
  note: 'The question was withdrawn without an answer. That is no consent to anything.',
};

/** What a question came to. */
export function answerTo({ result, options }: Pick<Given, 'result' | 'options'>): Json {
  if (result === 'cancelled') return WITHDRAWN;
  return { answered: true, ...spelledOut(result, options) };
}

function spelledOut({ option, text, fields }: Answer, options: Given['options']) {
  const label = options.find(one => one.id === option)?.label;
  return {
    ...(option === undefined ? {} : { option }),
    ...(label === undefined ? {} : { label }),
    ...(text === undefined ? {} : { text }),
    ...(fields === undefined ? {} : { fields }),
  };
}
