import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Calls } from '@hearth/client/calls.ts';
import type { ClientOptions } from '@hearth/client/client-options.ts';
import type { HearthClient } from '@hearth/client/http.ts';
import { onDemand } from '@hearth/client/on-demand.ts';
import type { Answered, Asked } from '@hearth/client/request.ts';

/*
 * The client of a command, which loads little: Node's `fetch` takes a tenth of a second to load, and what every answer
 * could be read by takes longer.
 */

/** A client that reads every answer by its schema, as `HearthClient` does. */
export function commandClient(options: Omit<ClientOptions, 'newCommandId' | 'fetch'>): HearthClient {
  return new Calls({ ...options, newCommandId, fetch: ask }, onDemand);
}

function newCommandId(): string {
  return process.getBuiltinModule('node:crypto').randomUUID();
}

/** As `fetch` does, over a connection of its own each time. */
function ask(url: string, { body, ...options }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = requesting(url, { ...options, agent: false });
    request.on('error', reject);
    request.on('response', response => resolve(answered(response)));
    request.end(body);
  });
}

/** An `import` of this module would read everything that it exports, and with one of those load all of `fetch`. */
function requesting(url: string, options: RequestOptions): ClientRequest {
  return process.getBuiltinModule('node:http').request(url, options);
}

function answered(response: IncomingMessage): Answered {
  return {
    status: response.statusCode ?? 0,
    text: () => text(response),
    get body() {
      return Readable.toWeb(response);
    },
  };
}
