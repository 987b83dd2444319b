import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';
import { clauses, heard } from './clauses.ts';
import { personsWords } from './conversation.ts';
import { endTold } from './doubts.ts';
import { type Language, spoken } from './language.ts';
import { phrases } from './phrases.ts';
import { saidIn } from './prompt-parts.ts';
import { stalled } from './stalling.ts';
import { READ } from './reading.ts';

/*
 * Every bot but the board's assistant. The output schema is filled with values that move nothing forward: `false`, 0,
 * nothing, empty text, and of an enumeration what `stalled` picks. A chat bot's `reply` says that this
 * is a rehearsal and what was heard; `close` is true only when the person told it to end.
 */

/** How many characters of what was heard are said back. */
const ECHOED = 2000;

/** At most so many elements fill a list that must have some. */
const MOST = 16;

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  minimum: z.number().optional(),
  minLength: z.number().optional(),
  items: z.unknown().optional(),
  minItems: z.number().optional(),
});

/** A value that fits the schema and moves nothing forward. */
export function idle(schema: unknown, language: Language): Json {
  const read = Schema.safeParse(schema);
  if (!read.success) return {};
  const { type, enum: values, properties, minimum, minLength, items, minItems } = read.data;
  if (read.data.const !== undefined) return read.data.const;
  if (values !== undefined && values.length > 0) {
    return stalled(values);
  }
  const kind = Array.isArray(type) ? (type.includes('null') ? 'null' : type[0]) : type;
  const fillers: Readonly<Record<string, () => Json>> = {
    string: () => ((minLength ?? 0) > 0 ? phrases[language].otherBot : ''),
    boolean: () => false,
    integer: () => Math.max(0, Math.ceil(minimum ?? 0)),
    number: () => Math.max(0, minimum ?? 0),
    array: () => Array.from({ length: Math.min(minItems ?? 0, MOST) }, () => idle(items, language)),
    null: () => null,
  };
  const filler = kind === undefined ? undefined : fillers[kind];
  if (filler !== undefined) return filler();
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, field]) => [name, idle(field, language)]),
  );
}

/** Names of the output's fields; `null` when the node has no schema. */
export function fieldsOf(schema: JsonObject | null): readonly string[] | null {
  if (schema === null) return null;
  return Object.keys(Schema.safeParse(schema).data?.properties ?? {});
}

/** The output of any node, filled; a chat bot's with an answer. */
export function otherOutput(
  turn: BackendTurn,
  preferred: Language | null,
): { output: JsonObject; text: string; language: Language } {
  const text = saidIn(turn.prompt.user) ?? personsWords(turn.prompt.user).text;
  const language = spoken(text, preferred);
  const words = phrases[language];
  const fields = fieldsOf(turn.output);
  const filled = idle(turn.output ?? {}, language);
  const output: JsonObject =
    filled !== null && typeof filled === 'object' && !Array.isArray(filled) ? filled : {};
  // A rehearsal knows nothing that a person could be spared.
  if (fields?.includes('needs_human_input') === true) output['needs_human_input'] = true;
  if (fields === null || !fields.includes('reply')) return { output, text: words.otherBot, language };
  const unseen = (turn.interrupted?.unseen ?? []).map(message => message.text);
  const said = [text, ...unseen].filter(one => one !== '');
  const readings = said.map(heard);
  const ends = readings.some(read => endTold(clauses(read)));
  const reply = ends
    ? words.end
    : said.length === 0
      ? words.heardNothing
      : [
          words.heard(said.join('\n').slice(0, ECHOED)),
          ...(readings.some(read => read.cut) ? [words.cut(READ)] : []),
        ].join('\n');
  const envelope: JsonObject = { reply, close: ends, quick_replies: [], dispatched_ids: [] };
  for (const [name, value] of Object.entries(envelope)) if (fields.includes(name)) output[name] = value;
  return { output, text: reply, language };
}
