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

/** The answer to a question, or to a call that needed leave, for an agent that reads it as a message. */
export function answerWords(answer: Given): string {
  if (answer.permit !== undefined) return leaveWords(answer);
  return `You had asked: ${answer.ask}\nThe answer: ${JSON.stringify(answerTo(answer))}`;
}

function leaveWords({ permit, result }: Given): string {
  const allowed = result !== 'cancelled' && result.option !== 'deny';
  const what = `the call of "${permit?.tool ?? 'a tool'}" that you wanted to make`;
  return allowed
    ? `The person allowed ${what}. It was not made: make it again with the same arguments.`
    : `The person did not allow ${what}; nothing was done. Do not do the same in another way.`;
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
