import { answerOf } from '@hearth/service/api/description.ts';
import type { Route } from '@hearth/service/route.ts';
import { routes as tableOf } from '@hearth/service/routes.ts';
import type { Wiring } from '@hearth/service/wiring.ts';
import { z } from 'zod';
import { code, codes, table } from './markdown.ts';

/** The rows are read and never performed, so nothing of the wiring is ever asked for. */
const nothing = {} as Wiring;

/** The routes of the service, as its own table has them. */
export function routes(): string {
  return table(
    ['Route', 'Does', 'Takes', 'Answers', 'Its own problems'],
    tableOf(nothing).map(row => [
      code(`${row.method} /v1${row.path.replaceAll(/:([a-z]+)/g, '{$1}')}`),
      row.summary,
      codes([...fieldsOf(row.query), ...fieldsOf(row.body)]),
      code(answered(row)),
      codes(answerOf(row)?.problems ?? []),
    ]),
  );
}

/** The name of the answer's schema, or its media type. */
function answered(row: Route): string {
  const answer = answerOf(row)?.with ?? '';
  return typeof answer === 'string' ? answer : answer[0];
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
