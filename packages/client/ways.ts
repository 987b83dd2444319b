import type { Act } from '@hearth/protocol/decision.ts';
import type { JsonSchema } from '@hearth/protocol/json.ts';
import { Json, JsonObject } from '@hearth/protocol/json.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { blocks } from '@hearth/protocol/pause.ts';
import { GRANTS } from './report.ts';

/*
 * The ways in which a pause can be answered, the same on every surface. Pure: nothing here decides; a surface shows the
 * rows and sends the act of the one that its person has taken.
 */

/** What a row leads to: a decision, or words that are yet to be typed. */
export type Way =
  | { readonly is: 'act'; readonly act: Act }
  /** `make` turns the typed words into a decision, or says in a sentence why it cannot. */
  | { readonly is: 'type'; readonly hint: string; readonly make: (text: string) => Act | string };

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

/** The name of the only text field of a schema; words for it need no JSON. */
function onlyTextField(schema: JsonSchema): string | null {
  const properties = JsonObject.safeParse(schema['properties']);
  const entries = properties.success ? Object.entries(properties.data) : [];
  const [only] = entries;
  if (only === undefined || entries.length > 1) return null;
  const field = JsonObject.safeParse(only[1]);
  return field.success && field.data['type'] === 'string' ? only[0] : null;
}

function withFields(schema: JsonSchema): (text: string) => Act | string {
  const only = onlyTextField(schema);
  return text => {
    if (only !== null) return { do: 'answer', fields: { [only]: text } };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'That is not JSON: type one object, as in {"name": "value"}.';
    }
    const fields = JsonObject.safeParse(value);
    return fields.success
      ? { do: 'answer', fields: fields.data }
      : 'That is not a JSON object: type one, as in {"name": "value"}.';
  };
}

function fieldsHint(schema: JsonSchema): string {
  const properties = JsonObject.safeParse(schema['properties']);
  const names = properties.success ? Object.keys(properties.data) : [];
  const only = onlyTextField(schema);
  if (only !== null) return `your ${only}`;
  return names.length === 0 ? 'a JSON object' : `a JSON object with ${names.join(', ')}`;
}

type Actions = Extract<Pause, { kind: 'card' }>['actions'];

function actionRows(actions: Actions): Row[] {
  return actions
    .filter(action => action.button)
    .map(action => {
      if (!action.enabled)
        return { label: action.label, detail: action.why ?? 'not possible now', way: null };
      if (action.needs === 'nothing') return act(action.label, undefined, { do: 'act', action: action.name });
      return typed(action.label, `your words for "${action.label}"`, feedback => ({
        do: 'act',
        action: action.name,
        feedback,
      }));
    });
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
      return pause.choices.map(one => act(one.label, one.detail, { do: 'answer', option: one.id }));
    case 'permission':
      return GRANTS.map(grant => act(grant.label, undefined, { do: 'permit', grant: grant.id }));
    case 'input':
      return [
        typed('Type the data…', fieldsHint(pause.fields), withFields(pause.fields)),
        ...actionRows(pause.actions),
      ];
    case 'card':
      return actionRows(pause.actions);
    case 'chat':
      return [];
  }
}

/** What becomes of a plain message while the pause is open. */
export function whatAMessageDoes(pause: Pause): string {
  if (pause.kind === 'recovery' && pause.cause === 'interrupted') {
    return 'a message typed now takes the work up again with those words';
  }
  return blocks(pause)
    ? 'a message typed now waits until this is answered'
    : 'a message typed now goes on its way';
}

/** Whether two decisions are the same, so that one that got no answer can be sent again under its id. */
export function sameAct(a: Act, b: Act): boolean {
  return JSON.stringify(Json.parse(a)) === JSON.stringify(Json.parse(b));
}
