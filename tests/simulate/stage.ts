/**
 * Where a simulation plays: the machine, the network, the three surfaces, and what was seen of them. Everything that is
 * random comes from the seed.
 */
import { Attachment } from '@hearth/client/attachment.ts';
import { HearthClient } from '@hearth/client/http.ts';
import type { BackendTurn } from '@hearth/engine/backend.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { pick, type Random, seededRandom } from '@hearth/store/seeded-random.ts';
import { Broken, conversationOf, History } from './history.ts';
import { Machine, TOKEN } from './machine.ts';
import { Network } from './network.ts';
import { type Mood, performer } from './performer.ts';

const ADDRESS = 'http://127.0.0.1:1';

export class Stage {
  readonly seed: number;
  readonly random: Random;
  readonly history = new History();
  readonly mood: Mood = { calm: false };
  readonly machine: Machine;
  readonly network: Network;
  readonly console: Attachment;
  readonly studio: Attachment;
  readonly curl: HearthClient;
  readonly trace: string[];
  readonly thrown: unknown[] = [];
  /** How many rounds a run has before a person is asked for more: with some seeds so few that it happens. */
  readonly rounds: number;
  /** What somebody was told is pinned. */
  readonly pinned = new Set<ConversationId>();
  #commands = 0;

  constructor(seed: number, trace: string[]) {
    this.seed = seed;
    this.trace = trace;
    this.random = seededRandom(seed);
    this.rounds = seed % 4 === 0 ? 2 : 1000;
    this.machine = new Machine(
      (clock, disk, alive) =>
        performer(seed, clock, this.mood, turn => {
          if (!alive()) return;
          this.guard(() => this.history.began(turn));
          void this.#intended(turn, disk());
        }),
      chatPlan({ cap: this.rounds }),
      broken => void this.thrown.push(broken),
    );
    this.network = new Network(this.machine, this.random, this.history);
    this.curl = this.#client('curl');
    this.console = this.#surface('console');
    this.studio = this.#surface('studio');
  }

  end(): void {
    this.console.close();
    this.studio.close();
    this.network.cut();
    this.machine.close();
  }

  known(): ConversationId | null {
    return this.console.model?.id ?? this.studio.model?.id ?? null;
  }

  commandId(): string {
    return `simulated-${String((this.#commands += 1)).padStart(12, '0')}`;
  }

  note(what: string): void {
    this.trace.push(`${this.machine.clock.active()} ms: ${what}`);
  }

  /** What was asked for may be refused or get no answer; the history knows which. */
  ignore(work: Promise<unknown>): void {
    work.catch((thrown: unknown) => {
      if (thrown instanceof Broken) this.thrown.push(thrown);
    });
  }

  guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.thrown.push(thrown);
    }
  }

  check(): void {
    const [thrown] = this.thrown;
    if (thrown !== undefined) throw thrown;
  }

  /** Lets everything happen that waits for nothing but its turn. */
  async moments(count: number): Promise<void> {
    for (let moment = 0; moment < count; moment += 1) await new Promise(resolve => setImmediate(resolve));
  }

  /** Nothing reaches the backend whose intent would not survive. */
  async #intended(turn: BackendTurn, disk: Machine['disk']): Promise<void> {
    const { effect } = turn;
    if (pick(seededRandom(Number(effect.slice(1)) + this.seed), 4) > 0) return;
    const survivor = disk.crash({ seed: 0 });
    const epochs = `/hearth/conversations/${conversationOf(turn)}/epochs`;
    for (const epoch of await survivor.list(epochs)) {
      for (const name of await survivor.list(`${epochs}/${epoch}`)) {
        if (!/^(journal.*|snapshot\.json)$/.test(name)) continue;
        const bytes = await survivor.read(`${epochs}/${epoch}/${name}`);
        if (new TextDecoder().decode(bytes ?? new Uint8Array()).includes(`"${effect}"`)) return;
      }
    }
    this.thrown.push(new Broken(6, `the intent of ${effect} was not durable when it was started`));
  }

  #client(surface: string): HearthClient {
    const { clock } = this.machine;
    return new HearthClient({
      address: ADDRESS,
      token: TOKEN,
      surface,
      name: surface,
      fetch: this.network.fetch,
      timers: { now: () => clock.now(), after: (ms, callback) => clock.after(ms, callback) },
      newCommandId: () => this.commandId(),
    });
  }

  #surface(name: string): Attachment {
    return new Attachment({
      client: this.#client(name),
      onChange: () => undefined,
      onReachable: () => undefined,
      onGone: problem => void this.thrown.push(problem),
      onArrived: () => undefined,
    });
  }
}
