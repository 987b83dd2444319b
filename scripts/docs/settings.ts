import { Settings } from '@hearth/service/settings.ts';
import { z } from 'zod';
import { code, table } from './markdown.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** What may be set, as the schema of the settings has it: each field by its path, with what holds where it is left out. */
export function settings(): string {
  const schema = z.toJSONSchema(Settings, { io: 'input', unrepresentable: 'any' });
  return table(['Setting', 'Takes', 'When left out', 'Means'], rowsOf(schema, ''));
}

function rowsOf(schema: Schema, path: string): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return [];
    const at = path === '' ? name : `${path}.${name}`;
    if (field.properties !== undefined) return rowsOf(field, at);
    const standard = field.default === undefined ? 'nothing' : code(JSON.stringify(field.default));
    return [[code(at), takes(field), standard, field.description ?? '']];
  });
}

/** What a field takes, in a few words. */
function takes(field: Schema): string {
  if (field.enum !== undefined) return field.enum.map(value => code(JSON.stringify(value))).join(', ');
  if (field.type === 'array') return 'a list of texts';
  const words: Readonly<Record<string, string>> = {
    integer: 'a whole number',
    number: 'a number',
    string: 'a text',
    boolean: '`true` or `false`',
  };
  return words[String(field.type)] ?? 'a value';
}
