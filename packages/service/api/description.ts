import { Problem } from '@hearth/protocol/problem.ts';
import { z } from 'zod';
import { BYTES } from '../body.ts';
import { statusOf } from '../problem.ts';
import type { Route } from '../route.ts';
import { VERSION } from '../version.ts';
import { ANSWERS, type Answer } from './answers.ts';

/*
 * The description of the API in OpenAPI 3.1, made from the table of routes and the schemas that judge what comes in. Nothing
 * in it is written by hand but the answers, so it cannot promise what the service does not take.
 */

/** A JSON object of the description. */
export type Described = Readonly<Record<string, unknown>>;

/** What any route of ours may answer instead. */
const ANY = ['foreign_host', 'foreign_origin', 'too_many_requests', 'stopping', 'internal'];
/** What a route may answer that needs authority, takes a body, or names a conversation. */
const GUARDED = ['unauthorized'];
const TAKING = ['malformed', 'unsupported_media_type', 'too_large', 'invalid'];
const NAMING = [
  'unknown_conversation',
  'ambiguous_conversation',
  'damaged_conversation',
  'disk_failed',
  'disk_full',
  'read_only',
  'no_permission',
];

/** The description of the routes under `/v1` and of those that need no authority. */
export function describe(guarded: readonly Route[], open: readonly Route[]): Described {
  const rows = [
    ...guarded.map(row => ({ row, prefix: '/v1', authority: true })),
    ...open.map(row => ({ row, prefix: '', authority: false })),
  ];
  const paths: Record<string, Record<string, Described>> = {};
  for (const { row, prefix, authority } of rows) {
    const path = `${prefix}${row.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row, authority) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Hearth', version: VERSION, description: 'The service of one home, on loopback only.' },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { ...schemas(), Problem: jsonSchema(Problem, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token in the file "token" of the home.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'hearth-…',
          description: 'The cookie of a browser that signed in.',
        },
      },
    },
  };
}

/** The codes of the problems that a route may answer with. */
export function problemsOf(row: Route, authority: boolean): readonly string[] {
  const own = answerOf(row)?.problems ?? [];
  return [
    ...new Set([
      ...ANY,
      ...(authority ? GUARDED : []),
      ...(row.body !== null ? TAKING : row.query !== null ? ['invalid'] : []),
      ...(row.path.includes('/:c') ? NAMING : []),
      ...own,
    ]),
  ];
}

/** What a route answers with; `undefined` for one that the table does not know. */
export function answerOf({ method, path }: Route): Answer | undefined {
  return ANSWERS[`${method} ${path}`];
}

function operation(row: Route, authority: boolean): Described {
  const { summary, body, bytes } = row;
  const content =
    body !== null
      ? { 'application/json': { schema: jsonSchema(body, 'input') } }
      : bytes !== null
        ? { [BYTES]: { schema: { type: 'string', format: 'binary', maxLength: bytes } } }
        : null;
  return {
    summary,
    ...(authority ? { security: [{ bearer: [] }, { session: [] }] } : { security: [] }),
    parameters: [...pathParameters(row), ...queryParameters(row)],
    ...(content === null ? {} : { requestBody: { required: true, content } }),
    responses: {
      200: { description: 'Done.', content: contentOf(answerOf(row)) },
      ...refusals(row, authority),
    },
  };
}

function contentOf(answer: Answer | undefined): Described {
  if (answer === undefined) return {};
  if (typeof answer.with === 'string') return { [answer.with]: { schema: { type: 'string' } } };
  return { 'application/json': { schema: { $ref: `#/components/schemas/${answer.with[0]}` } } };
}

/** By status, with the codes that it can have. */
function refusals(row: Route, authority: boolean): Described {
  const byStatus = Map.groupBy(problemsOf(row, authority), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: `The code says why: ${codes.join(', ')}.`,
        content: {
          'application/problem+json': {
            schema: {
              allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
            },
          },
        },
      },
    ]),
  );
}

function pathParameters({ path }: Route): Described[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): Described[] {
  if (query === null) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** The schemas of all answers, by their names. */
function schemas(): Described {
  const named = Object.values(ANSWERS).flatMap(answer =>
    typeof answer.with === 'string' ? [] : [answer.with],
  );
  return Object.fromEntries(named.map(([name, schema]) => [name, jsonSchema(schema, 'output')]));
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.JSONSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
