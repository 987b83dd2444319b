import { join } from 'node:path';
import type { BackendEvent, BackendRun, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { EventQueue } from '../agent-programs/event-queue.ts';
import { RpcError } from '../agent-programs/json-rpc.ts';
import { messageId, openingOf } from '../agent-programs/opening.ts';
import { Watchdog } from '../agent-programs/watchdog.ts';
import { failed } from '../model-api/failure.ts';
import { type ServedTurn, serveTurn } from '../own-tools/loopback.ts';
import { OwnTools } from '../own-tools/own-tools.ts';
import { Approvals } from './approvals.ts';
import { CodexClient } from './client.ts';
import { Conduct } from './conduct.ts';
import type { Detection } from './detection.ts';
import { codexFailure } from './failure.ts';
import { ProgramHome } from './home.ts';
import { argumentsOf, nativeNames, OWN_DIRECTORY, programEnvironment } from './launch.ts';
import type { CodexPorts } from './ports.ts';
import { begun } from './session.ts';
import { strictSchema } from './strict-schema.ts';
import { OfTurn, TurnError } from './wire.ts';

/**
 * One turn on Codex: a program for the turn alone. It is told what the turn says, plays it, and is gone before the turn's
 * ending is told. An interrupt is asked for in the program's own words first; an abort ends it at once.
 */
export class CodexRun implements BackendRun {
  readonly #turn: BackendTurn;
  readonly #host: Host;
  readonly #signal: AbortSignal;
  readonly #ports: CodexPorts;
  readonly #detection: Detection;
  readonly #events = new EventQueue();
  readonly #offered: InboxMessage[] = [];
  #client: CodexClient | null = null;
  #thread: string | null = null;
  #current: string | null = null;
  #conduct: Conduct | null = null;
  #stopping = false;

  constructor(turn: BackendTurn, host: Host, signal: AbortSignal, ports: CodexPorts, detection: Detection) {
    this.#turn = turn;
    this.#host = host;
    this.#signal = signal;
    this.#ports = ports;
    this.#detection = detection;
  }

  offer(message: InboxMessage): void {
    if (this.#events.over) return;
    this.#offered.push(message);
    this.#steer();
  }

  async interrupt(): Promise<void> {
    this.#stopping = true;
    const [client, threadId, turnId] = [this.#client, this.#thread, this.#current];
    if (client === null) return void this.#events.push({ type: 'stopped' });
    if (threadId !== null && turnId !== null) {
      const asked = client.request('turn/interrupt', { threadId, turnId }).catch(() => undefined);
      const late = new Promise(resolve => setTimeout(resolve, this.#ports.patience?.leave ?? 3000));
      await Promise.race([asked.then(() => this.#events.ended), late, client.program.ended]);
    }
    void this.#events.push({ type: 'stopped' });
    await client.end('term');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    const home = new ProgramHome(join(this.#turn.directory, OWN_DIRECTORY), this.#ports.env);
    let served: ServedTurn | null = null;
    const dog = new Watchdog(this.#ports.clock, { quietMs: this.#turn.quietMs });
    const abort = (): void => {
      this.#stopping = true;
      void this.#events.push({ type: 'stopped' });
      void this.#client?.end('term');
    };
    this.#signal.addEventListener('abort', abort, { once: true });
    if (this.#signal.aborted) abort();
    void dog.silent.then(kind => this.#fellSilent(kind));
    try {
      const tools = new OwnTools(this.#turn, this.#host);
      served = await serveTurn(tools);
      await home.open();
      void this.#play(tools, served, home, dog);
      yield* this.#events;
    } finally {
      this.#signal.removeEventListener('abort', abort);
      dog.stop();
      void this.#events.push({ type: 'stopped' });
      await this.#client?.end(this.#stopping ? 'term' : 'leave');
      await served?.close();
      await home.close();
    }
    yield await this.#events.ended;
  }

  /** Starts the program and the turn; everything else comes from the program. Never rejects. */
  async #play(tools: OwnTools, served: ServedTurn, home: ProgramHome, dog: Watchdog): Promise<void> {
    const found = await this.#detection.detect();
    if (this.#events.over) return;
    if (!found.usable) return this.#fail({ code: 'missing', message: `Codex cannot be used: ${found.why}.` });
    const native = nativeNames(this.#turn);
    const approvals = new Approvals(this.#turn, this.#host, tools);
    const conduct = new Conduct({
      turn: this.#turn,
      tools,
      approvals,
      dog,
      events: this.#events,
      priced: found.apiKey !== null,
    });
    this.#conduct = conduct;
    const client = new CodexClient({
      argv: [found.path, ...argumentsOf(native, served)],
      cwd: this.#turn.workspace ?? this.#turn.directory,
      env: programEnvironment(this.#ports.env, home.path, found.config.keys, served),
      ...(this.#ports.patience === undefined ? {} : { patience: this.#ports.patience }),
      onLine: () => dog.heard(),
      onNotification: (method, params) => this.#heard(method, params),
      onRequest: (method, params) => approvals.answer(method, params),
    });
    this.#client = client;
    void client.program.ended.then(() => this.#left());
    try {
      await client.initialize();
      if (found.apiKey !== null)
        await client.request('account/login/start', { type: 'apiKey', apiKey: found.apiKey });
      const fingerprint = `codex:${found.config.provider ?? 'openai'}`;
      const session = await begun(client, this.#turn, { config: found.config, fingerprint, native });
      if ('lost' in session) return this.#fail({ code: 'session_lost', message: session.lost });
      conduct.model = session.model;
      await this.#events.push(session.event);
      this.#thread = session.thread;
      const words = openingOf(this.#turn, session.standing);
      await this.#begin(words.map(({ id }) => id).join('+'), words.map(({ text }) => text).join('\n\n'));
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      const about = { model: conduct.model, began: conduct.began, now: this.#ports.clock.now() };
      this.#fail(codexFailure(TurnError.parse({ message }), about));
    }
  }

  /** Begins a turn of the program's with words. Rejects with `RpcError`. */
  async #begin(id: string, text: string): Promise<void> {
    const { output, native } = this.#turn;
    const answer = await this.#client?.request('turn/start', {
      threadId: this.#thread,
      clientUserMessageId: id,
      input: [{ type: 'text', text, text_elements: [] }],
      ...(native?.includes('shell') === true ? {} : { environments: [] }),
      ...(output === null ? {} : { outputSchema: strictSchema(output) }),
    });
    this.#current = OfTurn.safeParse(answer).data?.turn.id ?? this.#current;
    this.#steer();
  }

  /** Hands on what was offered. What the program does not take now waits for the next turn. */
  #steer(): void {
    const [client, threadId, expectedTurnId] = [this.#client, this.#thread, this.#current];
    if (client === null || threadId === null || expectedTurnId === null || this.#events.over) return;
    for (const { id, text } of this.#offered.splice(0)) {
      const own = messageId(this.#turn, id);
      const input = [{ type: 'text', text, text_elements: [] }];
      client.ask('turn/steer', { threadId, clientUserMessageId: own, input, expectedTurnId }, answer => {
        if (!(answer instanceof RpcError)) this.#conduct?.taken(id, own);
      });
    }
  }

  #heard(method: string, params: JsonObject): void {
    const conduct = this.#conduct;
    // What a resumed session used before is none of this turn's.
    if (conduct === null || this.#thread === null) return;
    if (method === 'turn/started') this.#current = OfTurn.safeParse(params).data?.turn.id ?? this.#current;
    if (method !== 'turn/completed') return conduct.heard(method, params);
    this.#current = null;
    const ended = OfTurn.safeParse(params).data?.turn;
    const ending = this.#stopping
      ? ({ type: 'stopped' } as const)
      : conduct.ended(ended?.status ?? 'failed', ended?.error ?? null, this.#ports.clock.now());
    if ('repair' in ending) {
      void this.#begin(`${this.#turn.effect}-${ending.number}`, ending.repair).catch(() => undefined);
    } else void this.#events.push(ending);
  }

  #fellSilent(kind: 'cold' | 'quiet'): void {
    const message =
      kind === 'cold'
        ? 'Codex did not come up; try again.'
        : 'Codex fell silent in the middle of its work; try again.';
    this.#fail({ code: kind, message });
    void this.#client?.end('term');
  }

  /** The program has ended by itself, or was killed. */
  #left(): void {
    if (this.#stopping) return void this.#events.push({ type: 'stopped' });
    const parked = this.#conduct?.parked() ?? null;
    if (parked !== null) return void this.#events.push(parked);
    this.#fail({ code: 'crashed', message: 'Codex ended in the middle of the turn; try again.' });
  }

  #fail(failure: Parameters<typeof failed>[0]): void {
    void this.#events.push(failed(failure, this.#conduct?.began ?? false));
  }
}
