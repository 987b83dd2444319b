import { Json, JsonObject, type JsonSchema } from '@hearth/protocol/json.ts';

/*
 * Fits what a form sends to a schema: a form knows text alone, so text is read as the number, the truth value or the list
 * that a field asks for. What says nothing of the kind stays as it is, and the schema refuses it in its own words.
 */

const TRUTH: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

/** The fields with every text read as its field asks. A field that is text is left alone, and so is what is no text. */
export function coerced(schema: JsonSchema, fields: Record<string, Json>): Record<string, Json> {
  const properties = JsonObject.safeParse(schema['properties']).data ?? {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const field = Object.hasOwn(properties, name) ? JsonObject.safeParse(properties[name]).data : undefined;
      return [name, field === undefined || typeof value !== 'string' ? value : readAs(field['type'], value)];
    }),
  );
}

function readAs(type: Json | undefined, text: string): Json {
  const trimmed = text.trim();
  switch (type) {
    case 'integer':
    case 'number':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : text;
    case 'boolean': {
      const word = trimmed.toLowerCase();
      return Object.hasOwn(TRUTH, word) ? (TRUTH[word] ?? text) : text;
    }
    case 'array':
      return trimmed.startsWith('[') ? parsed(trimmed, text) : listed(trimmed);
    case 'object':
    case undefined:
      return parsed(trimmed, text);
    default:
      return text;
  }
}

/** One on each line; on one line, commas stand between them. */
function listed(text: string): string[] {
  return text
    .split(text.includes('\n') ? '\n' : ',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

/** A value written as JSON; text that is none stays text. */
function parsed(json: string, text: string): Json {
  try {
    return Json.parse(JSON.parse(json));
  } catch {
    return text;
  }
}
