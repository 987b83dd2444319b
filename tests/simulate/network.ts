/**
 * The simulated network between the surfaces and the service: it loses requests and answers, delivers requests twice, and
 * cuts streams. Everything that gets through is written into the history as whoever received it saw it.
 */
import { pick, type Random } from '@hearth/store/seeded-random.ts';
import type { Fetch } from '@hearth/client/request.ts';
import type { History } from './history.ts';
import type { Instance, Machine } from './machine.ts';

const lost = (): TypeError => new TypeError('fetch failed');

export class Network {
  readonly #machine: Machine;
  readonly #random: Random;
  readonly #history: History;
  readonly #open = new Set<(why: Error) => void>();
  /** How often something goes wrong, from 0 to 1. */
  trouble = 0;

  constructor(machine: Machine, random: Random, history: History) {
    this.#machine = machine;
    this.#random = random;
    this.#history = history;
  }

  /** Breaks every open stream. */
  cut(): void {
    for (const end of this.#open) end(lost());
    this.#open.clear();
  }

  readonly fetch: (...asked: Parameters<Fetch>) => Promise<Response> = async (url, init) => {
    const instance = this.#machine.instance;
    this.#history.sent(url, init);
    if (instance === null || this.#happens()) throw lost();
    const request = (): Request => withHost(new Request(url, init));
    if (this.#happens()) void this.#delivered(instance, request()).catch(() => undefined);
    const response = await this.#delivered(instance, request());
    // The answer was on its way when the line broke.
    if (this.#happens() || !instance.alive()) throw lost();
    if (isStream(response)) return this.#stream(instance, response, init);
    const text = await Promise.race([response.text(), instance.gone]);
    try {
      this.#history.answered(url, init, response.status, text);
    } catch (thrown) {
      // A surface would take it for a line that broke, and try again.
      this.#history.broken ??= thrown;
      throw thrown;
    }
    return new Response(text, { status: response.status, headers: response.headers });
  };

  async #delivered(instance: Instance, request: Request): Promise<Response> {
    return Promise.race([instance.answer(request), instance.gone]);
  }

  #stream(instance: Instance, response: Response, init: RequestInit): Response {
    const reader = response.body?.getReader();
    const connection = this.#history.connected(new Headers(init.headers).get('last-event-id'));
    const decoder = new TextDecoder();
    let end: (why: Error) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        end = why => {
          this.#open.delete(end);
          reader?.cancel().catch(() => undefined);
          try {
            controller.error(why);
          } catch {
            // Its reader left before.
          }
        };
        this.#open.add(end);
        instance.gone.catch(() => end(lost()));
        init.signal?.addEventListener('abort', () => end(lost()), { once: true });
      },
      pull: async controller => {
        const next = await reader?.read();
        if (next === undefined || next.done) {
          this.#open.delete(end);
          controller.close();
          return;
        }
        connection.received(decoder.decode(next.value, { stream: true }));
        controller.enqueue(next.value);
        if (this.#happens()) end(lost());
      },
      cancel: () => end(lost()),
    });
    return new Response(body, { status: 200, headers: response.headers });
  }

  #happens(): boolean {
    return this.trouble > 0 && pick(this.#random, 1000) < this.trouble * 1000;
  }
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** A browser and Node add it by themselves. */
function withHost(request: Request): Request {
  request.headers.set('host', '127.0.0.1:1');
  return request;
}
