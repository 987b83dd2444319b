import { type JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import { z } from 'zod';
import type { Ask } from './backend.ts';
import type { ToolGrant } from './tool.ts';

/*
 * How an agent asks a person: one tool, the same on every backend, which reads what a model makes of it as tolerantly as
 * the meaning allows.
 */

/** The tool by which an agent asks and waits; its call parks the turn until the person has answered. */
export const ASK_USER = 'ask_user';

const Choice = z.union([
  z
    .string()
    .min(1)
    .transform(label => ({ id: label, label })),
  z.object({ id: z.string().min(1), label: z.string().min(1), detail: z.string().exactOptional() }),
]);

/** Models send lists as text now and then. */
const choices = z.preprocess(value => {
  if (typeof value !== 'string') return value ?? [];
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}, z.array(Choice));

const Question = z.object({
  question: z.string().trim().min(1),
  options: choices.default([]),
  allow_free_text: z.union([z.boolean(), z.stringbool()]).exactOptional(),
  destructive: z.union([z.boolean(), z.stringbool()]).exactOptional(),
});

/** The arguments of a question, as JSON Schema. */
export const questionSchema = JsonSchema.parse({
  type: 'object',
  properties: {
    question: { type: 'string', description: 'The whole question, as the person reads it.' },
    options: {
      type: 'array',
      description: 'The answers that can be foreseen, to choose from.',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, label: { type: 'string' } },
        required: ['id', 'label'],
      },
    },
    allow_free_text: { type: 'boolean', description: 'Whether an answer in own words is taken too.' },
    destructive: {
      type: 'boolean',
      description:
        'Whether a yes deletes, overwrites, publishes or sends something that cannot be taken back.',
    },
  },
  required: ['question'],
});

/** The question tool, as a model is told of it. */
export const askUser: ToolGrant = {
  name: ASK_USER,
  description:
    'Asks the person a question and stops until it is answered, which may be days later; the answer is the result. Several questions asked in one step are shown together.',
  input: questionSchema,
  mutates: false,
  origin: 'native',
};

/** A question read from a call's arguments; or what is wrong with them, for the model. */
export function askOf(call: string, args: JsonObject, tool = ASK_USER): Ask | { readonly wrong: string } {
  const read = Question.safeParse(args);
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      wrong: `${tool} cannot use "${issue?.path.join('.') ?? ''}": ${issue?.message ?? 'it does not fit'}.`,
    };
  }
  const { question, options, allow_free_text: free, destructive } = read.data;
  if (new Set(options.map(option => option.id)).size < options.length) {
    return { wrong: `${tool} needs a different id for each option.` };
  }
  const ask = { call, text: question, options, allowFreeText: free ?? options.length === 0 };
  return destructive === true ? { ...ask, confirms: true } : ask;
}
