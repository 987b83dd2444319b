import { join } from 'node:path';
import type { InboxMessage } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { Ending } from '../agent-programs/event-queue.ts';
import { RpcError } from '../agent-programs/json-rpc.ts';
import { messageId, openingOf } from '../agent-programs/opening.ts';
import { closedHome } from '../agent-programs/closed-home.ts';
import type { Frame, Player } from '../agent-programs/program-run.ts';
import type { RpcProgram } from '../agent-programs/rpc-program.ts';
import type { Failure } from '../model-api/failure.ts';
import { Approvals } from './approvals.ts';
import { Conduct } from './conduct.ts';
import type { Detection } from './detection.ts';
import { codexFailure } from './failure.ts';
import { ProgramHome } from './home.ts';
import { initialize } from './initialize.ts';
import { argumentsOf, nativeNames, OWN_DIRECTORY, programEnvironment } from './launch.ts';
import { begun } from './session.ts';
import { strictSchema } from './strict-schema.ts';
import { OfTurn, TurnError } from './wire.ts';

/** How a turn is played on one `codex app-server`: a thread is begun or gone on with, and told what the turn says. */
export class CodexPlayer implements Player {
  readonly who = 'Codex';
  readonly #frame: Frame;
  readonly #detection: Detection;
  readonly #approvals: Approvals;
  readonly #conduct: Conduct;
  readonly #home: ProgramHome;
  readonly #offered: InboxMessage[] = [];
  #client: RpcProgram | null = null;
  #thread: string | null = null;
  #current: string | null = null;

  constructor(frame: Frame, detection: Detection) {
    const { turn, host, tools, dog, events, ports } = frame;
    this.#frame = frame;
    this.#detection = detection;
    this.#approvals = new Approvals(turn, host, tools);
    this.#conduct = new Conduct({ turn, tools, approvals: this.#approvals, dog, events });
    this.#home = new ProgramHome(join(turn.directory, OWN_DIRECTORY), ports.env);
  }

  get began(): boolean {
    return this.#conduct.began;
  }

  parked(): Ending | null {
    return this.#conduct.parked();
  }

  offer(message: InboxMessage): void {
    this.#offered.push(message);
    this.#steer();
  }

  stop(): Promise<unknown> | null {
    const [client, threadId, turnId] = [this.#client, this.#thread, this.#current];
    if (client === null || threadId === null || turnId === null) return null;
    return client.request('turn/interrupt', { threadId, turnId }).catch(() => undefined);
  }

  failure({ message }: RpcError): Failure {
    const about = { model: this.#conduct.model, began: this.began, now: this.#frame.ports.clock.now() };
    return codexFailure(TurnError.parse({ message }), about);
  }

  close(): Promise<void> {
    return this.#home.close();
  }

  async play(): Promise<void> {
    const { turn, served, events, ports, fail } = this.#frame;
    await this.#home.open();
    const found = await this.#detection.detect();
    if (events.over) return;
    if (!found.usable) return fail({ code: 'missing', message: `Codex cannot be used: ${found.why}.` });
    const { config, apiKey } = found;
    const native = nativeNames(turn);
    const closed = await closedHome(ports.home, turn);
    const client = this.#frame.start({
      argv: [found.path, ...argumentsOf(native, served)],
      env: programEnvironment(ports.env, this.#home.path, config.keys, served),
      onNotification: (method, params) => this.#heard(method, params),
      onRequest: (method, params) => this.#approvals.answer(method, params),
    });
    this.#client = client;
    await initialize(client);
    if (apiKey !== null) await client.request('account/login/start', { type: 'apiKey', apiKey });
    this.#conduct.priced = apiKey !== null;
    const fingerprint = `codex:${config.provider ?? 'openai'}`;
    const session = await begun(client, turn, { config, fingerprint, closed, native });
    if ('lost' in session) return fail({ code: 'session_lost', message: session.lost });
    this.#conduct.model = session.model;
    await events.push(session.event);
    this.#thread = session.thread;
    const words = openingOf(turn, session.standing);
    await this.#begin(words.map(({ id }) => id).join('+'), words.map(({ text }) => text).join('\n\n'));
  }

  /** Begins a turn of the program's with words. Rejects with `RpcError`. */
  async #begin(id: string, text: string): Promise<void> {
    const { output, native } = this.#frame.turn;
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
    if (client === null || threadId === null || expectedTurnId === null || this.#frame.events.over) return;
    for (const { id, text } of this.#offered.splice(0)) {
      const own = messageId(this.#frame.turn, id);
      const input = [{ type: 'text', text, text_elements: [] }];
      client.ask('turn/steer', { threadId, clientUserMessageId: own, input, expectedTurnId }, answer => {
        if (!(answer instanceof RpcError)) this.#conduct.taken(id, own);
      });
    }
  }

  #heard(method: string, params: JsonObject): void {
    // What a resumed session used before is none of this turn's.
    if (this.#thread === null) return;
    if (method === 'turn/started') this.#current = OfTurn.safeParse(params).data?.turn.id ?? this.#current;
    if (method !== 'turn/completed') return this.#conduct.heard(method, params);
    this.#current = null;
    const { turn, events, ports, stopping } = this.#frame;
    const ended = OfTurn.safeParse(params).data?.turn;
    const ending = stopping()
      ? ({ type: 'stopped' } as const)
      : this.#conduct.ended(ended?.status ?? 'failed', ended?.error ?? null, ports.clock.now());
    if ('repair' in ending) {
      void this.#begin(`${turn.effect}-${ending.number}`, ending.repair).catch(() => undefined);
    } else void events.push(ending);
  }
}
