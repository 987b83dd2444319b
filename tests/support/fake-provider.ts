import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type FakeFacts, listing, shown } from './fake-listing.ts';

/*
 * A model provider on loopback that does what a test tells it: Anthropic's messages, OpenAI's responses and chat
 * completions, and what Ollama says of itself. It plays one move for each request, in order, streams as the real ones
 * do, and keeps every request. A request without a move is answered with status 500, so that no test passes by chance.
 */

export interface FakeCall {
  readonly name: string;
  /** Where the tool is one of a group, as OpenAI's responses name it. */
  readonly namespace?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Made up when absent. */
  readonly id?: string;
  /** Sent in place of the arguments, as they are. */
  readonly raw?: string;
}

/** What the provider does with one request. */
export type Move =
  | {
      readonly is: 'answer';
      readonly text: string;
      readonly calls: readonly FakeCall[];
      /** Streams the text, then waits for this before it goes on. */
      readonly hold?: Promise<unknown>;
      readonly tokens?: { readonly input: number; readonly output: number };
      readonly finish?: 'length' | 'filter';
    }
  | {
      readonly is: 'status';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly error: string;
    }
  /** Streams the text, then breaks off: the socket, the stream without its end, or an error told in the stream. */
  | { readonly is: 'cut'; readonly text: string; readonly how: 'socket' | 'end' | 'overloaded' }
  | { readonly is: 'garbage'; readonly how: 'page' | 'event' }
  /** Says nothing any more: before the first byte, or after some text. */
  | { readonly is: 'silence'; readonly after: string | null };

/** A request as it came. */
export interface FakeRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: FakeBody;
  /** The body, for looking whether something stands in it. */
  readonly text: string;
}

export interface FakeBody {
  readonly model?: string;
  readonly system?: unknown;
  readonly messages?: readonly FakeMessage[];
  readonly input?: readonly unknown[];
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  /** How long an answer may be: the words of both vendors. */
  readonly max_tokens?: number;
  readonly max_output_tokens?: number;
}

export interface FakeMessage {
  readonly role: string;
  readonly content: unknown;
}

export type Brain = (request: FakeRequest) => Move;

/** Words, and nothing else. */
export function says(text: string, more: Partial<Extract<Move, { is: 'answer' }>> = {}): Move {
  return { is: 'answer', text, calls: [], ...more };
}

/** Calls of tools, with words before them. */
export function calls(
  list: readonly FakeCall[],
  text = '',
  more: Partial<Extract<Move, { is: 'answer' }>> = {},
): Move {
  return { is: 'answer', text, calls: list, ...more };
}

/** The envelope that ends a turn of a chat bot. */
export function replies(reply: string, more: Readonly<Record<string, unknown>> = {}): Move {
  const args = { reply, close: false, quick_replies: [], dispatched_ids: [], ...more };
  return calls([{ name: 'final_answer', args }]);
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}, error = 'fake'): Move {
  return { is: 'status', status: code, headers, error };
}

export class FakeProvider {
  /** Every request for an answer, in order. */
  readonly requests: FakeRequest[] = [];
  /** Models that it lists, as Ollama and as any OpenAI-compatible server. */
  models: readonly string[] = ['fake:1b'];
  /** What it says of its models besides. */
  facts: FakeFacts = {};
  /** Requests for the list of models. */
  listed = 0;
  readonly #server: Server;
  readonly #moves: (Move | Brain)[] = [];
  readonly #open = new Set<ServerResponse>();
  #brain: Brain | null = null;
  #made = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts on a free port of loopback. */
  static async start(...moves: readonly (Move | Brain)[]): Promise<FakeProvider> {
    const server = createServer();
    const provider = new FakeProvider(server);
    server.on('request', (request, response) => void provider.#serve(request, response));
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
    return provider.plays(...moves);
  }

  /** As in `http://127.0.0.1:40123`. */
  get address(): string {
    const bound = this.#server.address();
    return typeof bound === 'object' && bound !== null ? `http://127.0.0.1:${bound.port}` : '';
  }

  /** Environments that lead a service to it, by provider; `key` is a secret to look for. */
  env(
    provider: 'anthropic' | 'openai' | 'compatible' | 'ollama',
    key = 'sk-fake-0123456789',
  ): Record<string, string> {
    const nowhere = { OLLAMA_HOST: 'http://127.0.0.1:9' };
    if (provider === 'anthropic')
      return { ...nowhere, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: this.address };
    if (provider === 'openai') return { ...nowhere, OPENAI_API_KEY: key, OPENAI_BASE_URL: this.address };
    if (provider === 'compatible') {
      return { ...nowhere, HEARTH_OPENAI_BASE_URL: `${this.address}/v1`, HEARTH_OPENAI_API_KEY: key };
    }
    return { OLLAMA_HOST: this.address };
  }

  /** Adds moves, one for each request to come. */
  plays(...moves: readonly (Move | Brain)[]): this {
    this.#moves.push(...moves);
    return this;
  }

  /** Forgets the moves that were not played, and who decides when none is left. */
  forget(): this {
    this.#moves.splice(0);
    this.#brain = null;
    return this;
  }

  /** Decides for requests that no move is left for. */
  thinks(brain: Brain): this {
    this.#brain = brain;
    return this;
  }

  /** Stops, cutting whatever is open. */
  async close(): Promise<void> {
    for (const response of this.#open) response.destroy();
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
    const path = incoming.url ?? '';
    if (incoming.method !== 'POST') return this.#list(path, response);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString('utf8');
    if (path === '/api/show') return json(response, 200, shown(this.facts));
    const request: FakeRequest = { path, headers: incoming.headers, body: JSON.parse(text), text };
    this.requests.push(request);
    const next = this.#moves.shift() ?? this.#brain ?? status(500);
    const move = typeof next === 'function' ? next(request) : next;
    const api = APIS.find(one => path.split('?')[0]?.endsWith(one.path));
    if (api === undefined) return json(response, 404, { error: { message: `no route ${path}` } });
    await this.#play(api, move, response, request.body.model ?? '');
  }

  #list(path: string, response: ServerResponse): void {
    this.listed += 1;
    const body = listing(path, this.models, this.facts);
    if (body !== null) return json(response, 200, body);
    return json(response, 404, { error: { message: 'no such page' } });
  }

  async #play(api: Api, move: Move, response: ServerResponse, model: string): Promise<void> {
    if (move.is === 'status') {
      return json(response, move.status, api.error(move.status, move.error), move.headers);
    }
    if (move.is === 'silence' && move.after === null) return;
    if (move.is === 'garbage' && move.how === 'page') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Welcome to the router</body></html>');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.#made += 1;
    const stream = new Stream(response);
    const writer = api.writer(stream, `${this.#made}`, model);
    if (move.is === 'garbage') {
      stream.raw('data: {"type": "message_start", "message": {{{\n\n');
      response.end();
      return;
    }
    writer.begin();
    if (move.is === 'answer') return await this.#answer(writer, stream, move);
    const text = move.is === 'silence' ? (move.after ?? '') : move.text;
    writer.text(text, false);
    if (move.is === 'silence') return;
    await stream.flushed();
    if (move.how === 'overloaded') writer.overloaded();
    if (move.how === 'socket') response.destroy();
    else response.end();
  }

  async #answer(writer: Writer, stream: Stream, move: Extract<Move, { is: 'answer' }>): Promise<void> {
    if (move.text !== '') writer.text(move.text, true);
    await move.hold;
    const made = move.calls.map((call, at) => ({ id: `call_${this.#made}_${at}`, ...call }));
    for (const call of made) writer.call(call, call.raw ?? JSON.stringify(call.args));
    const finish = move.finish ?? (made.length > 0 ? 'calls' : 'stop');
    writer.end(finish, move.tokens ?? { input: 100, output: 20 });
    stream.end();
  }
}

function json(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Server-sent events on a response. */
class Stream {
  readonly #response: ServerResponse;
  constructor(response: ServerResponse) {
    this.#response = response;
  }
  raw(text: string): void {
    this.#response.write(text);
  }
  event(type: string, more: object = {}): void {
    this.raw(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  }
  data(data: unknown): void {
    this.raw(`data: ${JSON.stringify(data)}\n\n`);
  }
  /** What was written has left. */
  flushed(): Promise<void> {
    return new Promise(resolve => void this.#response.write(':\n\n', () => setImmediate(resolve)));
  }
  end(): void {
    this.#response.end();
  }
}

type Finish = 'stop' | 'calls' | 'length' | 'filter';
type Tokens = { readonly input: number; readonly output: number };

/** Writes an answer as one API streams it. */
interface Writer {
  begin(): void;
  /** `whole`: the text is complete. */
  text(text: string, whole: boolean): void;
  call(call: { readonly id: string; readonly name: string; readonly namespace?: string }, args: string): void;
  overloaded(): void;
  end(finish: Finish, tokens: Tokens): void;
}

interface Api {
  readonly path: string;
  error(code: number, message: string): unknown;
  writer(stream: Stream, number: string, model: string): Writer;
}

/** Pieces of a text, as they are streamed. */
function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,12}/g) ?? [''];
}

const ANTHROPIC_ERRORS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const anthropic: Api = {
  path: '/v1/messages',
  error: (code, message) => ({
    type: 'error',
    error: { type: ANTHROPIC_ERRORS[code] ?? 'invalid_request_error', message },
  }),
  writer(stream, number, model) {
    let index = 0;
    const block = (content: object, deltas: readonly object[], whole: boolean): void => {
      stream.event('content_block_start', { index, content_block: content });
      for (const delta of deltas) stream.event('content_block_delta', { index, delta });
      if (whole) stream.event('content_block_stop', { index });
      index += 1;
    };
    return {
      begin() {
        const usage = { input_tokens: 0, output_tokens: 1 };
        const head = { id: `msg_${number}`, type: 'message', role: 'assistant', model, content: [] };
        const message = { ...head, stop_reason: null, stop_sequence: null, usage };
        stream.event('message_start', { message });
      },
      text(text, whole) {
        const deltas = pieces(text).map(piece => ({ type: 'text_delta', text: piece }));
        block({ type: 'text', text: '' }, deltas, whole);
      },
      call({ id, name }, args) {
        const deltas = pieces(args).map(piece => ({ type: 'input_json_delta', partial_json: piece }));
        block({ type: 'tool_use', id, name, input: {} }, deltas, true);
      },
      overloaded() {
        stream.event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
      },
      end(finish, { input, output }) {
        const reasons = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal' };
        stream.event('message_delta', {
          delta: { stop_reason: reasons[finish], stop_sequence: null },
          usage: { input_tokens: input, output_tokens: output },
        });
        stream.event('message_stop');
      },
    };
  },
};

const responses: Api = {
  path: '/responses',
  error: (_code, message) => ({ error: { message, type: 'fake', code: null, param: null } }),
  writer(stream, number, model) {
    const output: object[] = [];
    let sequence = 0;
    const send = (type: string, more: object): void => {
      stream.event(type, { sequence_number: sequence, ...more });
      sequence += 1;
    };
    const head = { id: `resp_${number}`, object: 'response', created_at: 1_700_000_000, model };
    const item = (inner: object, between: (at: number) => void): void => {
      const at = output.length;
      send('response.output_item.added', { output_index: at, item: { ...inner, status: 'in_progress' } });
      between(at);
      send('response.output_item.done', { output_index: at, item: { ...inner, status: 'completed' } });
      output.push({ ...inner, status: 'completed' });
    };
    return {
      begin: () => send('response.created', { response: { ...head, status: 'in_progress', output: [] } }),
      text(text) {
        const id = `msg_${number}_${output.length}`;
        const content = [{ type: 'output_text', text, annotations: [] }];
        item({ type: 'message', id, role: 'assistant', content }, at => {
          for (const delta of pieces(text)) {
            send('response.output_text.delta', { item_id: id, output_index: at, content_index: 0, delta });
          }
        });
      },
      call({ id, name, namespace }, args) {
        const own = `fc_${number}_${output.length}`;
        const group = namespace === undefined ? {} : { namespace };
        item({ type: 'function_call', id: own, call_id: id, name, ...group, arguments: args }, at => {
          for (const delta of pieces(args)) {
            send('response.function_call_arguments.delta', { item_id: own, output_index: at, delta });
          }
        });
      },
      overloaded: () => send('error', { code: 'server_error', message: 'Overloaded', param: null }),
      end(finish, { input, output: given }) {
        const usage = {
          input_tokens: input,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: given,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: input + given,
        };
        const cut = finish === 'length' || finish === 'filter';
        const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
        const more = cut ? { status: 'incomplete', incomplete_details: { reason } } : { status: 'completed' };
        const response = { ...head, ...more, output, usage };
        send(cut ? 'response.incomplete' : 'response.completed', { response });
      },
    };
  },
};

const chat: Api = {
  path: '/chat/completions',
  error: (_code, message) => ({ error: { message, type: 'fake' } }),
  writer(stream, number, model) {
    const head = { id: `chatcmpl-${number}`, object: 'chat.completion.chunk', created: 1_700_000_000, model };
    let count = 0;
    const choice = (delta: object, finish: string | null): void =>
      stream.data({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
    return {
      begin: () => choice({ role: 'assistant', content: '' }, null),
      text(text) {
        for (const content of pieces(text)) choice({ content }, null);
      },
      call({ id, name }, args) {
        choice(
          { tool_calls: [{ index: count, id, type: 'function', function: { name, arguments: '' } }] },
          null,
        );
        for (const piece of pieces(args)) {
          choice({ tool_calls: [{ index: count, function: { arguments: piece } }] }, null);
        }
        count += 1;
      },
      overloaded: () => stream.data({ error: { message: 'Overloaded', type: 'server_error', code: 503 } }),
      end(finish, { input, output }) {
        const reasons = { stop: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter' };
        choice({}, reasons[finish]);
        const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
        stream.data({ ...head, choices: [], usage });
        stream.raw('data: [DONE]\n\n');
      },
    };
  },
};

const APIS: readonly Api[] = [anthropic, responses, chat];
