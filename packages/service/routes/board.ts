import { isAbsolute } from 'node:path';
import type { Board } from '@hearth/board/board.ts';
import type { Boards } from '@hearth/board/boards.ts';
import {
  ChangeTicket,
  CommentTicket,
  CreateTicket,
  ImportTickets,
  type Ticket,
  TicketState,
} from '@hearth/protocol/ticket.ts';
import { z } from 'zod';
import type { BoardWork, Once } from '../once.ts';
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
export function boardRoutes({
  boards,
  once,
}: {
  readonly boards: Boards;
  readonly once: Once;
}): readonly Route[] {
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
          await once.run(body.commandId, ['add', body], {
            ...oneTicket(() => board(body.workspace)),
            do: async () => (await board(body.workspace)).add(body.ticket, body.actor.name),
            found: async since => {
              const { tickets } = await (await board(body.workspace)).list();
              const { title } = body.ticket;
              return tickets.find(one => one.title === title && one.createdAt >= since) ?? null;
            },
          }),
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
        const ticket = await once.run(commandId, ['change', id, call.body], {
          ...oneTicket(() => board(workspace)),
          do: async () => (await (await board(workspace)).change(id, fields, actor.name)).ticket,
        });
        return jsonResponse(ticket);
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
        const ticket = await once.run(commandId, ['comment', id, call.body], {
          ...oneTicket(() => board(workspace)),
          do: async () => (await (await board(workspace)).comment(id, body, actor.name)).ticket,
          found: async since => {
            const found = await (await board(workspace)).get(id);
            const said = found.comments.some(
              one => one.body === body && one.author === actor.name && one.at >= since,
            );
            return said ? found : null;
          },
        });
        return jsonResponse(ticket);
      },
    }),
    route({
      method: 'POST',
      path: '/board/import',
      summary: 'Imports a Markdown checklist or a JSON array, all of it or nothing.',
      body: ImportTickets,
      handle: async ({ body }) =>
        jsonResponse(
          // Tickets that are on the board already are skipped, so an import may be begun again.
          await once.run(body.commandId, ['import', body], {
            do: async () => (await board(body.workspace)).import(body.source, body.name, body.actor.name),
            tickets: report => report.created.map(one => one.id),
            again: async ids => {
              const opened = await board(body.workspace);
              return { created: await Promise.all(ids.map(id => opened.get(id))), skipped: [] };
            },
          }),
        ),
    }),
  ];
}

/** A command on one ticket answers with the ticket, and a repeated one with the ticket as it is now. */
function oneTicket(open: () => Promise<Board>): Pick<BoardWork<Ticket>, 'tickets' | 'again'> {
  return {
    tickets: ticket => [ticket.id],
    again: async ([id = '']) => (await open()).get(id),
  };
}
