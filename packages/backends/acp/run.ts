import type { BackendEvent, BackendRun, BackendTurn, Host } from '@hearth/engine/backend.ts';
import { HOST_LINE } from '@hearth/engine/host-line.ts';
import type { Json } from '@hearth/protocol/json.ts';
import { EventQueue } from '../agent-programs/event-queue.ts';
import { RpcError } from '../agent-programs/json-rpc.ts';
import { idOf, openingOf, type Words } from '../agent-programs/opening.ts';
import { Watchdog } from '../agent-programs/watchdog.ts';
import { failed } from '../model-api/failure.ts';
import { type ServedTurn, serveTurn } from '../own-tools/loopback.ts';
import { OwnTools } from '../own-tools/own-tools.ts';
import { AcpClient } from './client.ts';
import { Conduct } from './conduct.ts';
import type { Detected, Detection } from './detection.ts';
import { acpFailure } from './failure.ts';
import { agentEnvironment, type AgentPlace, placeOf } from './known-agents.ts';
import { Permissions } from './permissions.ts';
import type { AcpPorts } from './ports.ts';
import { begun } from './session.ts';
import type { ToldWords } from './told-words.ts';
import { Prompted } from './wire.ts';

/**
 * One turn on an agent: a program for the turn alone, gone before the turn's ending is told. The protocol has no way to
 * speak to an agent that works, so what is offered waits for the next turn.
 */
export class AcpRun implements BackendRun {
  readonly #turn: BackendTurn;
  readonly #host: Host;
  readonly #signal: AbortSignal;
  readonly #ports: AcpPorts;
  readonly #detection: Detection;
  readonly #events = new EventQueue();
  #client: AcpClient | null = null;
  #session: string | null = null;
  #conduct: Conduct | null = null;
  #place: AgentPlace | null = null;
  #heardAnything: (() => void) | null = null;
  #stopping = false;

  constructor(turn: BackendTurn, host: Host, signal: AbortSignal, ports: AcpPorts, detection: Detection) {
    this.#turn = turn;
    this.#host = host;
    this.#signal = signal;
    this.#ports = ports;
    this.#detection = detection;
  }

  offer(): void {
    // It waits for the next turn, which the engine begins at once.
  }

  async interrupt(): Promise<void> {
    this.#stopping = true;
    const client = this.#client;
    if (client !== null && this.#session !== null) {
      client.notify('session/cancel', { sessionId: this.#session });
      const late = new Promise(resolve => setTimeout(resolve, this.#ports.patience?.leave ?? 3000));
      await Promise.race([this.#events.ended, late, client.program.ended]);
    }
    void this.#events.push({ type: 'stopped' });
    await client?.end('term');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
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
      void this.#play(tools, served, dog);
      yield* this.#events;
    } finally {
      this.#signal.removeEventListener('abort', abort);
      dog.stop();
      void this.#events.push({ type: 'stopped' });
      await this.#client?.end(this.#stopping ? 'term' : 'leave');
      await served?.close();
      await this.#place?.close();
    }
    yield await this.#events.ended;
  }

  /** Starts the agent and goes through the turn with it. Never rejects. */
  async #play(tools: OwnTools, served: ServedTurn, dog: Watchdog): Promise<void> {
    const found = await this.#detection.detect();
    if (this.#events.over) return;
    if (!found.usable) {
      return this.#fail({ code: 'missing', message: `The agent cannot be used: ${found.why}.` });
    }
    try {
      await this.#talk(found, tools, served, dog);
    } catch (error) {
      if (error instanceof RpcError && error.code === 0) return this.#left(found.name);
      const told = error instanceof RpcError ? error : new RpcError('something unforeseen happened', -1);
      if (this.#stopping) return void this.#events.push({ type: 'stopped' });
      const parked = this.#conduct?.parked() ?? null;
      if (parked !== null) return void this.#events.push(parked);
      this.#fail(acpFailure(told, found.name, this.#ports.clock.now()));
    }
  }

  async #talk(
    found: Extract<Detected, { usable: true }>,
    tools: OwnTools,
    served: ServedTurn,
    dog: Watchdog,
  ): Promise<void> {
    const { directory } = this.#turn;
    const place = placeOf(found.argv, this.#ports.env, directory);
    this.#place = place;
    await place.open();
    const permissions = new Permissions(this.#host, tools);
    const { name: who } = found;
    const conduct = new Conduct({ turn: this.#turn, tools, permissions, dog, events: this.#events, who });
    this.#conduct = conduct;
    const client = new AcpClient({
      argv: found.argv,
      cwd: this.#turn.workspace ?? directory,
      env: { ...agentEnvironment(this.#ports.env), ...place.env },
      ...(this.#ports.patience === undefined ? {} : { patience: this.#ports.patience }),
      onLine: () => dog.heard(),
      onUpdate: params => {
        // What a session replays of the past is none of this turn's.
        if (this.#session === null) return;
        this.#heardAnything?.();
        conduct.heard(params);
      },
      onPermission: params => permissions.answer(params),
    });
    this.#client = client;
    void client.program.ended.then(() => this.#left(who));
    const said = await client.initialize();
    const parts = { said, served, fingerprint: `acp:${who}`, takesSystem: place.takesSystem };
    const session = await begun(client, this.#turn, parts);
    if ('lost' in session) return this.#fail({ code: 'session_lost', message: session.lost });
    await this.#events.push(session.event);
    if (!place.moved && session.event.how === 'opened') {
      const text = `${who} keeps its sessions in a place of its own: they stay there when this conversation is exported or removed.`;
      void this.#events.push({ type: 'narration', text });
    }
    this.#session = session.id;
    const words = [...this.#instructions(place, session.told), ...openingOf(this.#turn, session.standing)];
    await this.#prompt(client, session.told, words);
  }

  /** What an agent is told that takes no system prompt and no form of an answer: once, and again when it has changed. */
  #instructions({ takesSystem }: AgentPlace, told: ToldWords): readonly Words[] {
    const { prompt, output } = this.#turn;
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
  async #prompt(client: AcpClient, told: ToldWords, words: readonly Words[]): Promise<void> {
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
    if (this.#events.over) return;
    const { stopReason, usage } = Prompted.parse(answer);
    const spend = {
      activeMs: 0,
      tokens: usage?.totalTokens ?? null,
      costUsd: null,
      iterations: 0,
      unpriced: 1,
    };
    void this.#events.push({ type: 'usage', spend, cumulative: false });
    if (this.#stopping) return void this.#events.push({ type: 'stopped' });
    const ending = this.#conduct?.ended(stopReason);
    if (ending === undefined) return;
    if (!('repair' in ending)) return void this.#events.push(ending);
    await this.#prompt(client, told, [{ id: idOf(this.#turn.effect, ending.repair), text: ending.repair }]);
  }

  #fellSilent(kind: 'cold' | 'quiet'): void {
    const what = kind === 'cold' ? 'did not come up' : 'fell silent in the middle of its work';
    this.#fail({ code: kind, message: `The agent ${what}; try again.` });
    void this.#client?.end('term');
  }

  /** The agent has ended by itself, or was killed. */
  #left(who: string): void {
    if (this.#stopping) return void this.#events.push({ type: 'stopped' });
    const parked = this.#conduct?.parked() ?? null;
    if (parked !== null) return void this.#events.push(parked);
    this.#fail({ code: 'crashed', message: `${who} ended in the middle of the turn; try again.` });
  }

  #fail(failure: Parameters<typeof failed>[0]): void {
    void this.#events.push(failed(failure, this.#conduct?.began ?? false));
  }
}
