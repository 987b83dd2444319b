import type { DispatchStatus } from '@hearth/protocol/dispatch.ts';
import type { NewTicket, Ticket } from '@hearth/protocol/ticket.ts';
import type { ImportReport, TicketList } from './answers.ts';
import type { CallOptions, TicketEdit, TicketFilter, WriteOptions } from './call-options.ts';
import { query } from './request.ts';
import { ServiceCalls } from './service-calls.ts';

/** What is asked of the boards, and of the dispatcher that works on their tickets; see `Calls`. */
export class BoardCalls extends ServiceCalls {
  /** The tickets of the board of a workspace, an absolute path. */
  tickets(workspace: string, filter: TicketFilter = {}, options: CallOptions = {}): Promise<TicketList> {
    const asked = query({ workspace, state: filter.state, label: filter.label, q: filter.text });
    return this.caller.read(`/board/tickets${asked}`, this.readers.ticketList, options);
  }

  /** `id` as `HB-4`, `hb-4` or `4`. */
  ticket(workspace: string, id: string, options: CallOptions = {}): Promise<Ticket> {
    return this.caller.read(
      `/board/tickets/${encodeURIComponent(id)}${query({ workspace })}`,
      this.readers.ticket,
      options,
    );
  }

  addTicket(workspace: string, ticket: NewTicket, options: WriteOptions = {}): Promise<Ticket> {
    return this.caller.write('POST', '/board/tickets', this.readers.ticket, { workspace, ticket }, options);
  }

  changeTicket(workspace: string, id: string, change: TicketEdit): Promise<Ticket> {
    const { commandId, signal, ...body } = change;
    const path = `/board/tickets/${encodeURIComponent(id)}`;
    return this.caller.write(
      'PATCH',
      path,
      this.readers.ticket,
      { workspace, ...body },
      { commandId, signal },
    );
  }

  commentTicket(workspace: string, id: string, body: string, options: WriteOptions = {}): Promise<Ticket> {
    return this.caller.write(
      'POST',
      `/board/tickets/${encodeURIComponent(id)}/comments`,
      this.readers.ticket,
      { workspace, body },
      options,
    );
  }

  /** Whether bots are set to work on tickets that are ready, and how each of those stands. */
  dispatch(options: CallOptions = {}): Promise<DispatchStatus> {
    return this.caller.read('/dispatch', this.readers.dispatch, options);
  }

  /** Turns the dispatcher on or off. */
  setDispatch(on: boolean, options: WriteOptions = {}): Promise<DispatchStatus> {
    return this.caller.write('PUT', '/dispatch', this.readers.dispatch, { on }, options);
  }

  /** Imports a Markdown checklist or a JSON array, all or nothing; `name` is the file's, for error messages. */
  importTickets(
    workspace: string,
    name: string,
    source: string,
    options: WriteOptions = {},
  ): Promise<ImportReport> {
    return this.caller.write(
      'POST',
      '/board/import',
      this.readers.importReport,
      { workspace, name, source },
      options,
    );
  }
}
