import type { Field, Schema } from './plan.ts';

/** The part of JSON Schema that a schema of the language becomes. */
export interface JsonSchema {
  readonly type?: 'object' | 'string' | 'boolean' | 'integer' | 'number' | 'array';
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly enum?: readonly string[];
}

/** The JSON Schema of a schema: an object in which every field is required and nothing else is allowed. */
export function schemaOf(schema: Schema): JsonSchema {
  // Of a field declared twice the first declaration counts.
  const fields = new Map(schema.fields.toReversed().map(field => [field.name, field]));
  const names = [...new Set(schema.fields.map(field => field.name))];
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, fieldOf(fields.get(name))])),
    required: names,
    additionalProperties: false,
  };
}

function fieldOf(field: Field | undefined): JsonSchema {
  const bound = field?.enum === undefined ? {} : { enum: field.enum };
  switch (field?.type) {
    case 'string':
      return { type: 'string', ...bound };
    case 'string[]':
      return {
        type: 'array',
        items: { type: 'string', ...bound },
        ...(field.least === undefined ? {} : { minItems: field.least }),
      };
    case 'bool':
      return { type: 'boolean' };
    case 'int':
      return { type: 'integer' };
    case 'float':
      return { type: 'number' };
    case 'json':
    case undefined:
      return {};
  }
}
