import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { turnReport } from '@hearth/client/report.ts';
import { follow } from '@hearth/client/stream.ts';
import { systemTimers } from '@hearth/client/timers.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { ConversationId, PauseId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { expect } from 'vitest';
import { type AgentKind, holds, KEY } from './agent-kinds.ts';
import { FakeProvider, type Move } from './fake-provider.ts';
import { commandOf, processesIn } from './processes.ts';
import { makeProject } from './project.ts';
import { answered } from './provider-moves.ts';
import { faultsOf } from './request-check.ts';
import { clientOf } from './service-process.ts';
import { removeTemps, tempDirectory } from './temp.ts';

const signal = AbortSignal.timeout(600_000);

/** Every path below a directory. */
const pathsIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();

/** A real agent program behind a bot on the real service, over HTTP, and a person who follows the conversation from its start. */
export class AgentService {
  readonly kind: AgentKind;
  readonly provider: FakeProvider;
  readonly root: string;
  readonly project = makeProject();
  client!: HearthClient;
  c!: ConversationId;
  /** What the person was told live, over every restart. */
  readonly live: (Event | { readonly type: 'draft'; readonly text: string })[] = [];
  readonly #env: Record<string, string>;
  readonly #before: readonly string[];
  readonly #over = new AbortController();
  readonly #temporary = process.env['TMPDIR'];
  #service!: Service;
  #following: Promise<void> = Promise.resolve();

  private constructor(kind: AgentKind, provider: FakeProvider) {
    this.kind = kind;
    this.provider = provider;
    this.root = tempDirectory(kind.name);
    for (const name of ['person', 'tmp']) mkdirSync(join(this.root, name));
    const home = join(this.root, 'person');
    this.#env = { ...kind.environment({ provider, home }), HEARTH_BACKEND: kind.name };
    this.#before = pathsIn(home);
  }

  /** With a conversation with the bot of a bundle, or the default one. */
  static async open(kind: AgentKind, bundle: string | null): Promise<AgentService> {
    const one = new AgentService(kind, await FakeProvider.start());
    process.env['TMPDIR'] = join(one.root, 'tmp');
    await one.#start();
    const scope = { kind: 'workspace', path: one.project } as const;
    one.c = (
      bundle === null ? await one.client.default() : (await one.client.create({ bot: bundle, scope })).view
    ).id;
    one.#following = follow(one.client, one.c, {
      after: null,
      onFrame: frame => {
        if (frame.frame === 'draft') one.live.push({ type: 'draft', text: frame.text });
        if (frame.frame === 'event' && frame.event.type !== 'unsupported') one.live.push(frame.event);
      },
      signal: one.#over.signal,
      clock: systemTimers,
      renew: () => Promise.resolve(one.client),
    });
    return one;
  }

  async #start(): Promise<void> {
    const home = join(this.root, 'hearth');
    this.#service = await startService({ home, env: this.#env });
    this.client = clientOf(this.#service.address, readFileSync(join(home, 'token'), 'utf8').trim());
  }

  async restart(): Promise<void> {
    await this.#service.stop();
    expect(this.processes()).toEqual([]);
    await this.#start();
  }

  /** Where the agent's turns keep their files. */
  get directory(): string {
    const backends = join(this.root, 'hearth', 'conversations', this.c, 'epochs/1/backend');
    const [node] = readdirSync(backends);
    return join(backends, node ?? '');
  }

  /** What works for it outside of this process, by its command. */
  processes(): readonly string[] {
    return processesIn(this.root).map(commandOf);
  }

  /** Takes the files of every session away. */
  loseSessions(): void {
    rmSync(join(this.directory, this.kind.sessions), { recursive: true, force: true });
  }

  async say(text: string, delivery: 'queue' | 'steer' = 'queue') {
    const { receipt } = await this.client.send(this.c, { text, delivery, workspace: this.project });
    return { turn: receipt?.did.turn ?? null, message: receipt?.did.message ?? null };
  }

  settled(of: Awaited<ReturnType<AgentService['say']>>) {
    return turnReport({ client: this.client, conversation: this.c, ...of, signal });
  }

  /** A whole turn: what the model behind the program does in it, and what came of it. */
  async told(text: string, ...moves: readonly Move[]) {
    this.provider.forget().plays(...moves);
    return await this.settled(await this.say(text));
  }

  /** Decides, and waits for what comes of it. */
  async decided(pause: PauseId, act: Parameters<HearthClient['decide']>[2]) {
    const turn = (await this.client.get(this.c)).turn?.id ?? null;
    await this.client.decide(this.c, pause, act);
    return await this.settled({ turn, message: null });
  }

  async pauses<K extends Pause['kind']>(kind: K): Promise<readonly Extract<Pause, { kind: K }>[]> {
    const { pauses } = await this.client.get(this.c);
    return pauses.filter((pause): pause is Extract<Pause, { kind: K }> => pause.kind === kind);
  }

  /** The log as it is kept. */
  async events(): Promise<readonly Event[]> {
    const page = await this.client.events(this.c, null, 500);
    if (!('events' in page)) throw new Error(`the log needs a recovery: ${page.code}`);
    return page.events.map(({ event }) => event).filter(event => event.type !== 'unsupported');
  }

  /** The envelope that ends a turn, as this program's model gives it. */
  answer(reply: string, more: Readonly<Record<string, unknown>> = {}): Move {
    return answered({ reply, close: false, ...more }, this.kind.dialect);
  }

  /** The latest request to the model. */
  heard(): string {
    return this.provider.requests.at(-1)?.text ?? '';
  }

  /** Stops everything. Nothing may be left of it: no process, no file but the conversation's, no request that a provider refuses. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#following;
    await this.#service.stop();
    await this.provider.close();
    if (this.#temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = this.#temporary;
    try {
      expect(this.processes()).toEqual([]);
      expect(pathsIn(join(this.root, 'tmp'))).toEqual([]);
      expect(pathsIn(join(this.root, 'person'))).toEqual(this.#before);
      expect(holds(join(this.root, 'hearth'), KEY)).toBe(false);
      expect(this.kind.leaves?.(this.directory) ?? []).toEqual([]);
      expect(this.provider.requests.flatMap(faultsOf)).toEqual([]);
    } finally {
      removeTemps();
    }
  }
}
