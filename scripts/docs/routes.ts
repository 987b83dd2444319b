import { routes as tableOf } from '@hearth/service/routes.ts';
import type { Wiring } from '@hearth/service/wiring.ts';
import { z } from 'zod';
import { code, codes, table } from './markdown.ts';

/** The rows are read and never performed, so nothing of the wiring is ever asked for. */
const nothing = {} as Wiring;

/** The routes of the service, as its own table has them. */
export function routes(): string {
  return table(
    ['Route', 'Does', 'Takes'],
    tableOf(nothing).map(row => [
      code(`${row.method} /v1${row.path.replaceAll(/:([a-z]+)/g, '{$1}')}`),
      row.summary,
      codes([...fieldsOf(row.query), ...fieldsOf(row.body)]),
    ]),
  );
}

/** The fields of a query or a body; those that may be left out end in `?`. What every command has is left out. */
function fieldsOf(schema: z.ZodType | null): readonly string[] {
  if (schema === null) return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const required = new Set(json.required ?? []);
  return Object.keys(json.properties ?? {})
    .filter(name => name !== 'commandId' && name !== 'actor')
    .map(name => (required.has(name) ? name : `${name}?`));
}
