import { HOST_LINE } from '@hearth/engine/host-line.ts';
import type { Json, JsonObject } from '@hearth/protocol/json.ts';
import type { Ending } from '../agent-programs/event-queue.ts';
import { closedHome } from '../agent-programs/closed-home.ts';
import { RpcError } from '../agent-programs/json-rpc.ts';
import { idOf, openingOf, type Words } from '../agent-programs/opening.ts';
import type { Frame, Player } from '../agent-programs/program-run.ts';
import type { RpcProgram } from '../agent-programs/rpc-program.ts';
import type { Failure } from '../model-api/failure.ts';
import { Conduct } from './conduct.ts';
import type { Detection } from './detection.ts';
import { acpFailure } from './failure.ts';
import { initialize } from './initialize.ts';
import { agentEnvironment, type AgentPlace, placeOf } from './known-agents.ts';
import { Permissions } from './permissions.ts';
import { begun } from './session.ts';
import type { ToldWords } from './told-words.ts';
import { Prompted } from './wire.ts';

/**
 * How a turn is played on an agent. The protocol has no way to speak to an agent that works, so what is offered waits for
 * the next turn, which the engine begins at once.
 */
export class AcpPlayer implements Player {
  who = 'The agent';
  readonly #frame: Frame;
  readonly #detection: Detection;
  #client: RpcProgram | null = null;
  #session: string | null = null;
  #conduct: Conduct | null = null;
  #place: AgentPlace | null = null;
  #heardAnything: (() => void) | null = null;

  constructor(frame: Frame, detection: Detection) {
    this.#frame = frame;
    this.#detection = detection;
  }

  get began(): boolean {
    return this.#conduct?.began ?? false;
  }

  parked(): Ending | null {
    return this.#conduct?.parked() ?? null;
  }

  offer(): void {
    // It waits.
  }

  stop(): Promise<unknown> | null {
    const [client, sessionId] = [this.#client, this.#session];
    if (client === null || sessionId === null) return null;
    client.notify('session/cancel', { sessionId });
    return Promise.resolve();
  }

  failure(error: RpcError): Failure {
    return acpFailure(error, this.who, this.#frame.ports.clock.now());
  }

  async close(): Promise<void> {
    await this.#place?.close();
  }

  async play(): Promise<void> {
    const { turn, host, tools, served, events, dog, ports, fail } = this.#frame;
    const found = await this.#detection.detect();
    if (events.over) return;
    if (!found.usable) return fail({ code: 'missing', message: `The agent cannot be used: ${found.why}.` });
    const { name: who, argv } = found;
    this.who = who;
    const place = placeOf(argv, ports.env, turn.directory);
    this.#place = place;
    await place.open();
    const closed = await closedHome(ports.home, turn);
    const permissions = new Permissions(host, tools, closed);
    this.#conduct = new Conduct({ turn, tools, permissions, dog, events, who });
    const client = this.#frame.start({
      argv,
      leave: place.leave,
      env: { ...agentEnvironment(ports.env), ...place.env },
      onNotification: (method, params) => {
        if (method === 'session/update') this.#heard(params);
      },
      onRequest: (method, params) =>
        method === 'session/request_permission' ? permissions.answer(params) : null,
    });
    this.#client = client;
    const said = await initialize(client);
    const parts = { said, served, fingerprint: `acp:${who}`, takesSystem: place.takesSystem, closed };
    const session = await begun(client, turn, parts);
    if ('lost' in session) return fail({ code: 'session_lost', message: session.lost });
    await events.push(session.event);
    if (!place.moved && session.event.how === 'opened') {
      const text = `${who} keeps its sessions in a place of its own: they stay there when this conversation is exported or removed.`;
      void events.push({ type: 'narration', text });
    }
    this.#session = session.id;
    const words = [...this.#instructions(place, session.told), ...openingOf(turn, session.standing)];
    await this.#prompt(client, session.told, words);
  }

  #heard(params: JsonObject): void {
    // What a session replays of the past is none of this turn's.
    if (this.#session === null) return;
    this.#heardAnything?.();
    this.#conduct?.heard(params);
  }

  /** What an agent is told that takes no system prompt and no form of an answer: once, and again when it has changed. */
  #instructions({ takesSystem }: AgentPlace, told: ToldWords): readonly Words[] {
    const { prompt, output } = this.#frame.turn;
    const system = takesSystem ? '' : prompt.system.trim();
    const form =
      output === null
        ? ''
        : `${HOST_LINE}End each turn with one JSON object and nothing else, of this form: ${JSON.stringify(output)}`;
    const text = [system, form].filter(part => part !== '').join('\n\n');
    const id = idOf('instructions', text);
    return text === '' || told.holds(id) ? [] : [{ id, text }];
  }

  /** Says words, and goes on until the agent has ended its turn with an answer that fits. Rejects with `RpcError`. */
  async #prompt(client: RpcProgram, told: ToldWords, words: readonly Words[]): Promise<void> {
    this.#heardAnything = () => {
      this.#heardAnything = null;
      void told.add(words.map(({ id }) => id));
    };
    const prompt: Json = words.map(({ text }) => ({ type: 'text', text }));
    const answer = await client
      .request('session/prompt', { sessionId: this.#session, prompt })
      .catch((error: unknown) => {
        if (!(error instanceof RpcError) || error.code === 0 || this.#conduct?.denied !== true) throw error;
        return { stopReason: 'cancelled' };
      });
    this.#heardAnything?.();
    const { turn, events, stopping } = this.#frame;
    if (events.over) return;
    const { stopReason, usage } = Prompted.parse(answer);
    const tokens = usage?.totalTokens ?? null;
    const spend = { activeMs: 0, tokens, costUsd: null, iterations: 0, unpriced: 1 };
    void events.push({ type: 'usage', spend, cumulative: false });
    if (stopping()) return void events.push({ type: 'stopped' });
    const ending = this.#conduct?.ended(stopReason);
    if (ending === undefined) return;
    if (!('repair' in ending)) return void events.push(ending);
    await this.#prompt(client, told, [{ id: idOf(turn.effect, ending.repair), text: ending.repair }]);
  }
}
