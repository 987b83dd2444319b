import type { Act } from '@hearth/protocol/decision.ts';
import type { JsonSchema } from '@hearth/protocol/json.ts';
import { Json, JsonObject } from '@hearth/protocol/json.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { blocks, GRANTS, isDrafting } from '@hearth/protocol/pause.ts';
import type { Acted } from './card-actions.ts';
import { actionsNow, actOf, revisingActions } from './card-actions.ts';

/*
 * The ways in which a pause can be answered, the same on every surface. Pure: nothing here decides; a surface shows the
 * rows and sends the act of the one that its person has taken.
 */

/** What a row leads to: a decision, or words that are yet to be typed. */
export type Way =
  | { readonly is: 'act'; readonly act: Act }
  /** `make` turns the typed words into a decision, or says in a sentence why it cannot. */
  | { readonly is: 'type'; readonly hint: string; readonly make: (text: string) => Act | string };

/** One way to answer, as it is listed. */
export interface Row {
  readonly label: string;
  readonly detail: string | null;
  /** `null` when the row is there to be seen but cannot be taken. */
  readonly way: Way | null;
}

function act(label: string, detail: string | undefined, chosen: Act): Row {
  return { label, detail: detail ?? null, way: { is: 'act', act: chosen } };
}

function typed(label: string, hint: string, make: (text: string) => Act | string): Row {
  return { label, detail: null, way: { is: 'type', hint, make } };
}

/** What the service reads out of words by itself. */
const WRITTEN: readonly unknown[] = ['string', 'integer', 'number', 'boolean', 'array'];

/** The name of the only field of a schema that words can fill; they need no JSON. */
function onlyField(schema: JsonSchema): string | null {
  const properties = JsonObject.safeParse(schema['properties']);
  const entries = properties.success ? Object.entries(properties.data) : [];
  const [only] = entries;
  if (only === undefined || entries.length > 1) return null;
  const field = JsonObject.safeParse(only[1]);
  return field.success && WRITTEN.includes(field.data['type']) ? only[0] : null;
}

/** Lines that each name a field and say its value, which the service reads by the schema; `null` when it is anything else. */
function namedLines(schema: JsonSchema, text: string): JsonObject | null {
  const properties = JsonObject.safeParse(schema['properties']).data ?? {};
  const fields: JsonObject = {};
  for (const line of text.split('\n').filter(one => one.trim() !== '')) {
    const cut = line.indexOf(':');
    const name = line.slice(0, Math.max(0, cut)).trim();
    if (!Object.hasOwn(properties, name) || Object.hasOwn(fields, name)) return null;
    fields[name] = line.slice(cut + 1).trim();
  }
  return Object.keys(fields).length === 0 ? null : fields;
}

type Answer = Extract<Act, { do: 'answer' }>;

function withFields(schema: JsonSchema): (text: string) => Answer | string {
  const only = onlyField(schema);
  return text => {
    if (only !== null) return { do: 'answer', fields: { [only]: text } };
    const lines = namedLines(schema, text);
    if (lines !== null) return { do: 'answer', fields: lines };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'That is not JSON: type one object, as in {"name": "value"}, or one line for each field, as in name: value.';
    }
    const fields = JsonObject.safeParse(value);
    return fields.success
      ? { do: 'answer', fields: fields.data }
      : 'That is not a JSON object: type one, as in {"name": "value"}.';
  };
}

/** What stands for nothing in a field that moves nothing forward; `undefined` where only a person can say. */
function blank(field: Json): Json | undefined {
  const type = JsonObject.safeParse(field).data?.['type'];
  if (type === 'boolean') return false;
  return type === 'array' || type === undefined ? [] : undefined;
}

/**
 * The fields of an output in which only the reply is a matter of words, made from those words; `null` when the output is
 * none of that kind. Who takes up a chat by hand need not know the rest.
 */
function repliedWith(schema: JsonSchema, text: string): JsonObject | null {
  const properties = JsonObject.safeParse(schema['properties']).data ?? {};
  if (JsonObject.safeParse(properties['reply']).data?.['type'] !== 'string') return null;
  const fields: JsonObject = {};
  for (const [name, field] of Object.entries(properties)) {
    const value = name === 'reply' ? text : blank(field);
    if (value === undefined) return null;
    fields[name] = value;
  }
  return fields;
}

/** `it_happened` goes on with the output that a person gives. */
function happened(label: string, schema: JsonSchema): Row {
  const replies = repliedWith(schema, '') !== null;
  const parse = withFields(schema);
  return typed(`${label}…`, replies ? 'what the bot would have replied' : fieldsHint(schema), text => {
    const replied = text.trimStart().startsWith('{') ? null : repliedWith(schema, text);
    const act = replied === null ? parse(text) : { do: 'answer' as const, fields: replied };
    return typeof act === 'string' ? act : { ...act, option: 'it_happened' };
  });
}

function fieldsHint(schema: JsonSchema): string {
  const properties = JsonObject.safeParse(schema['properties']);
  const names = properties.success ? Object.keys(properties.data) : [];
  const only = onlyField(schema);
  if (only !== null) return `your ${only}`;
  return names.length === 0 ? 'a JSON object' : `a JSON object with ${names.join(', ')}, or a line for each`;
}

function actionRows(pause: Acted): Row[] {
  return actionsNow(pause)
    .filter(action => action.button)
    .map(action => {
      if (!action.enabled)
        return { label: action.label, detail: action.why ?? 'not possible now', way: null };
      if (action.needs === 'nothing') return act(action.label, undefined, actOf(action));
      return typed(action.label, `your words for "${action.label}"`, words => actOf(action, words));
    });
}

/**
 * The ways to say which revision is meant, when a confirmation came with words (`kind_required`): each of them takes the
 * words along.
 */
export function kindRows(pause: Acted, words: string): readonly Row[] {
  return revisingActions(pause).map(action => act(action.label, 'with your words', actOf(action, words)));
}

/** The ways in which a pause can be answered, in the order in which they are shown. */
export function rowsOf(pause: Pause): readonly Row[] {
  switch (pause.kind) {
    case 'question': {
      const options = pause.options.map(one => act(one.label, one.detail, { do: 'answer', option: one.id }));
      if (pause.fields !== undefined)
        return [...options, typed('Type the data…', fieldsHint(pause.fields), withFields(pause.fields))];
      if (!pause.allowFreeText) return options;
      return [...options, typed('Type an answer…', 'your answer', text => ({ do: 'answer', text }))];
    }
    case 'recovery':
      return pause.choices.map(one =>
        one.id === 'it_happened' && pause.fields !== undefined
          ? happened(one.label, pause.fields)
          : act(one.label, one.detail, { do: 'answer', option: one.id }),
      );
    case 'permission':
      return GRANTS.map(({ id, label }) => {
        const detail = id === 'always' ? `${pause.rule}, in this conversation` : undefined;
        return act(label, detail, { do: 'permit', grant: id });
      });
    case 'input':
      return [
        typed('Type the data…', fieldsHint(pause.fields), withFields(pause.fields)),
        ...actionRows(pause),
      ];
    case 'card':
      return actionRows(pause);
    case 'chat':
      return [];
  }
}

/** What becomes of a plain message while the pause is open. */
export function whatAMessageDoes(pause: Pause): string {
  if (pause.kind === 'recovery' && pause.cause === 'interrupted') {
    return 'a message typed now takes the work up again with those words';
  }
  if (pause.kind === 'card') {
    return isDrafting(pause)
      ? 'what you type is judged once the new version is there'
      : 'what you type goes to the reader of this review';
  }
  return blocks(pause)
    ? 'a message typed now waits until this is answered'
    : 'a message typed now goes on its way';
}

/** From when another attempt makes sense, while that is yet to come; `now` in milliseconds. */
export function retryWords(pause: Pause, now: number): string | null {
  if (pause.kind !== 'recovery' || pause.retryAt === undefined) return null;
  const seconds = Math.ceil((Date.parse(pause.retryAt) - now) / 1000);
  if (!(seconds > 0)) return null;
  return `You can try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`;
}

/** Whether two decisions are the same, so that one that got no answer can be sent again under its id. */
export function sameAct(a: Act, b: Act): boolean {
  return JSON.stringify(Json.parse(a)) === JSON.stringify(Json.parse(b));
}
