import { isAbsolute } from 'node:path';
import type { Boards } from '@hearth/board/boards.ts';
import {
  ChangeTicket,
  CommentTicket,
  CreateTicket,
  ImportTickets,
  TicketState,
} from '@hearth/protocol/ticket.ts';
import { z } from 'zod';
import { Once } from '../once.ts';
import { ProblemError } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';

const Workspace = z.object({ workspace: z.string() });
const ListQuery = Workspace.extend({
  state: TicketState.exactOptional(),
  label: z.string().exactOptional(),
  owner: z.string().exactOptional(),
  q: z.string().exactOptional(),
});

/** The tickets of a workspace's board. */
export function boardRoutes({ boards }: { readonly boards: Boards }): readonly Route[] {
  const once = new Once();
  const board = (workspace: string) => {
    if (isAbsolute(workspace)) return boards.open(workspace);
    throw new ProblemError(
      'invalid_workspace',
      `The workspace "${workspace}" is not an absolute path: send one.`,
    );
  };
  return [
    route({
      method: 'GET',
      path: '/board/tickets',
      summary: 'The tickets of a workspace, in the order of their states.',
      query: ListQuery,
      async handle(call) {
        const { workspace, q, ...filter } = call.query;
        const { tickets, damaged } = await (await board(workspace)).list(filter);
        const wanted = q?.toLowerCase();
        const kept =
          wanted === undefined
            ? tickets
            : tickets.filter(one => `${one.title}\n${one.body}`.toLowerCase().includes(wanted));
        return jsonResponse({ tickets: kept, damaged });
      },
    }),
    route({
      method: 'GET',
      path: '/board/tickets/:ticket',
      summary: 'One ticket.',
      query: Workspace,
      handle: async call => jsonResponse(await (await board(call.query.workspace)).get(call.param('ticket'))),
    }),
    route({
      method: 'POST',
      path: '/board/tickets',
      summary: 'Adds a ticket.',
      body: CreateTicket,
      handle: async ({ body }) =>
        jsonResponse(
          await once.run(body.commandId, ['add', body], async () =>
            (await board(body.workspace)).add(body.ticket, body.actor.name),
          ),
        ),
    }),
    route({
      method: 'PATCH',
      path: '/board/tickets/:ticket',
      summary: 'Changes a ticket; several fields are one change.',
      body: ChangeTicket,
      async handle(call) {
        const { commandId, actor, workspace, ...fields } = call.body;
        const id = call.param('ticket');
        const outcome = await once.run(commandId, ['change', id, call.body], async () =>
          (await board(workspace)).change(id, fields, actor.name),
        );
        return jsonResponse(outcome.ticket);
      },
    }),
    route({
      method: 'POST',
      path: '/board/tickets/:ticket/comments',
      summary: 'Comments on a ticket.',
      body: CommentTicket,
      async handle(call) {
        const { workspace, body, actor, commandId } = call.body;
        const id = call.param('ticket');
        const outcome = await once.run(commandId, ['comment', id, call.body], async () =>
          (await board(workspace)).comment(id, body, actor.name),
        );
        return jsonResponse(outcome.ticket);
      },
    }),
    route({
      method: 'POST',
      path: '/board/import',
      summary: 'Imports a Markdown checklist or a JSON array, all of it or nothing.',
      body: ImportTickets,
      handle: async ({ body }) =>
        jsonResponse(
          await once.run(body.commandId, ['import', body], async () =>
            (await board(body.workspace)).import(body.source, body.name, body.actor.name),
          ),
        ),
    }),
  ];
}
