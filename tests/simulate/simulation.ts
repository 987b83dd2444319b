/**
 * One simulation: a seed chooses what surfaces do and what goes wrong, step by step; then everything is well again, and
 * what is left is compared with what was told. The same seed gives the same run, to the last event.
 */
import { isDeepStrictEqual } from 'node:util';
import { Attachment } from '@hearth/client/attachment.ts';
import { HearthClient } from '@hearth/client/http.ts';
import { hydrate } from '@hearth/client/recover.ts';
import type { Model } from '@hearth/client/view.ts';
import { openPauses } from '@hearth/client/view.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { pick, seededRandom } from '@hearth/store/seeded-random.ts';
import { z } from 'zod';
import { Broken, History } from './history.ts';
import { Machine, TOKEN } from './machine.ts';
import { Network } from './network.ts';
import { type Mood, performer } from './performer.ts';

const ADDRESS = 'http://127.0.0.1:1';
/** Accepted commands that are sent once more at the end. */
const AGAIN = 4;
/** Rounds in which a conversation that nobody disturbs must come to rest. */
const PATIENCE = 200;

/** What a run was like, to see that it is worth something. */
export interface Summary {
  readonly seed: number;
  readonly boots: number;
  readonly commands: number;
  readonly events: number;
  readonly turns: number;
  readonly recoveries: number;
  readonly cuts: number;
  readonly trace: readonly string[];
}

const Replayed = z.looseObject({ replayed: z.boolean() });

/**
 * Runs a seed for `steps` steps, before everything is well again. Rejects with `Broken`, or with whatever was thrown by
 * what should never throw.
 */
export async function simulate(seed: number, steps: number, trace: string[] = []): Promise<Summary> {
  const run = new Simulation(seed, trace);
  try {
    return await run.play(steps);
  } finally {
    run.end();
  }
}

class Simulation {
  readonly #seed: number;
  readonly #random;
  readonly #history = new History();
  readonly #mood: Mood = { calm: false };
  readonly #machine: Machine;
  readonly #network: Network;
  readonly #console: Attachment;
  readonly #studio: Attachment;
  readonly #curl: HearthClient;
  readonly #trace: string[];
  readonly #thrown: unknown[] = [];
  #commands = 0;
  #words = 0;
  /** Everything that was once open, to be answered again when it is closed. */
  readonly #once = new Map<string, Pause>();

  constructor(seed: number, trace: string[]) {
    this.#seed = seed;
    this.#trace = trace;
    this.#random = seededRandom(seed);
    this.#machine = new Machine((clock, disk, alive) =>
      performer(seed, clock, this.#mood, turn => {
        if (!alive()) return;
        this.#guard(() => this.#history.began(turn));
        void this.#intended(turn.effect, disk());
      }),
    );
    this.#network = new Network(this.#machine, this.#random, this.#history);
    this.#curl = this.#client('curl');
    this.#console = this.#surface('console');
    this.#studio = this.#surface('studio');
  }

  async play(steps: number): Promise<Summary> {
    await this.#machine.boot();
    for (const surface of [this.#console, this.#studio]) void surface.open(null).catch(() => undefined);
    await this.#moments(20);
    for (let step = 0; step < steps; step += 1) {
      await this.#act();
      await this.#moments(pick(this.#random, 12));
      this.#check();
    }
    await this.#heal();
    await this.#judge();
    const { commands, events, started, recoveries, cuts } = this.#history;
    const counts = { commands: commands.size, events: events.size, turns: started.size };
    return { seed: this.#seed, boots: this.#machine.boots, ...counts, recoveries, cuts, trace: this.#trace };
  }

  end(): void {
    this.#console.close();
    this.#studio.close();
    this.#network.cut();
    this.#machine.lose(1);
  }

  /** One thing that somebody does, or that happens. */
  async #act(): Promise<void> {
    const acts: readonly [weight: number, name: string, act: () => Promise<void> | void][] = [
      [10, 'say', () => this.#say()],
      [8, 'answer', () => this.#answer()],
      [2, 'answer again', () => this.#answerLate()],
      [3, 'interrupt', () => this.#interrupt()],
      [2, 'take back', () => this.#takeBack()],
      [1, 'begin anew', () => this.#beginAnew()],
      [10, 'wait', () => this.#machine.clock.advance(1 + pick(this.#random, 3000))],
      [2, 'read a page', () => this.#read()],
      [2, 'break the lines', () => this.#network.cut()],
      [2, 'look away', () => this.#studio.suspend()],
      [2, 'look again', () => this.#studio.resume()],
      [3, 'network', () => void (this.#network.trouble = [0, 0, 0.05, 0.2][pick(this.#random, 4)] ?? 0)],
      [3, 'power cut', () => this.#powerCut()],
      [1, 'kill', () => this.#lose(1)],
      [1, 'stop and start', () => this.#restart()],
      [2, 'full disk', () => this.#machine.disk.room(pick(this.#random, 2000))],
      [2, 'room again', () => this.#machine.disk.room(null)],
      [1, 'failed sync', () => this.#machine.disk.failNext('appendSync', 'disk_failed')],
      [1, 'failed rename', () => this.#machine.disk.failNext('rename', 'disk_failed')],
    ];
    let left = pick(
      this.#random,
      acts.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, name, act] of acts) {
      left -= weight;
      if (left >= 0) continue;
      this.#note(name);
      await act();
      return;
    }
  }

  #say(): void {
    const text = `words ${(this.#words += 1)}`;
    const who = pick(this.#random, 4);
    const surface = who === 0 ? this.#console : this.#studio;
    if (who < 2 && surface.model !== null) {
      this.#ignore(surface.send(text));
      return;
    }
    const c = this.#known();
    if (c === null) return;
    const delivery = (['queue', 'steer', 'reject'] as const)[pick(this.#random, 3)] ?? 'queue';
    const command = { text, delivery, commandId: this.#commandId() };
    this.#ignore(this.#curl.send(c, command));
    // A script that does not trust its first attempt.
    if (who === 3) this.#ignore(this.#curl.send(c, command));
  }

  #answer(): void {
    const surface = pick(this.#random, 2) === 0 ? this.#console : this.#studio;
    const { model } = surface;
    const [pause] = model === null ? [] : openPauses(model).slice(pick(this.#random, 2));
    if (pause === undefined) return;
    this.#once.set(pause.id, pause);
    const act = this.#actFor(pause);
    if (act !== null) this.#ignore(surface.decide(pause, act));
  }

  #answerLate(): void {
    const pauses = [...this.#once.values()];
    const pause = pauses[pick(this.#random, Math.max(1, pauses.length))];
    const act = pause === undefined ? null : this.#actFor(pause);
    if (pause !== undefined && act !== null && this.#studio.model !== null)
      this.#ignore(this.#studio.decide(pause, act));
  }

  #actFor(pause: Pause): Parameters<Attachment['decide']>[1] | null {
    if (pause.kind === 'recovery') {
      const choices = pause.choices.filter(choice => choice.id !== 'it_happened');
      const option = choices[pick(this.#random, Math.max(1, choices.length))]?.id;
      return option === undefined ? null : { do: 'answer', option };
    }
    if (pause.kind !== 'question') return null;
    return pick(this.#random, 5) === 0
      ? { do: 'cancel' }
      : { do: 'answer', option: pick(this.#random, 2) === 0 ? 'a' : 'b' };
  }

  #interrupt(): void {
    if (this.#console.model !== null) this.#ignore(this.#console.interrupt());
  }

  #takeBack(): void {
    const queued = this.#studio.model?.now.queue.at(-1);
    if (queued !== undefined) this.#ignore(this.#studio.unsend(queued.message));
  }

  #beginAnew(): void {
    const c = this.#known();
    if (c !== null) this.#ignore(this.#curl.reset(c, { commandId: this.#commandId() }));
  }

  #read(): void {
    const c = this.#known();
    const seen = [...this.#history.events.values()];
    const from = seen[pick(this.#random, Math.max(1, seen.length))]?.cursor ?? null;
    if (c !== null) this.#ignore(this.#curl.events(c, pick(this.#random, 3) === 0 ? null : from, 50));
  }

  async #powerCut(): Promise<void> {
    this.#machine.crashSoon(1 + pick(this.#random, 60));
    for (let moment = 0; moment < 40 && this.#machine.disk.stoppedBefore === null; moment += 1) {
      if (moment % 8 === 4) this.#say();
      await this.#moments(2);
    }
    await this.#lose(2 + pick(this.#random, 1000));
  }

  async #lose(survival: number): Promise<void> {
    this.#machine.lose(survival);
    this.#network.cut();
    await this.#moments(3);
    // A boot may be cut short as well.
    if (pick(this.#random, 3) === 0) {
      this.#machine.crashSoon(1 + pick(this.#random, 40));
      await this.#machine.boot();
      await this.#moments(3);
      this.#machine.lose(2 + pick(this.#random, 1000));
    }
    await this.#machine.boot();
  }

  async #restart(): Promise<void> {
    await this.#machine.stop();
    await this.#machine.boot();
  }

  /** Everything is well again: the surfaces must catch up by themselves. */
  async #heal(): Promise<void> {
    this.#note('all is well');
    this.#network.trouble = 0;
    this.#mood.calm = true;
    this.#studio.resume();
    this.#machine.disk.mend();
    if (this.#machine.instance === null) await this.#lose(1);
    for (let round = 0; round < PATIENCE; round += 1) {
      this.#machine.clock.advance(5000);
      await this.#moments(5);
      const models = [this.#console.model, this.#studio.model];
      if (models.every(model => model?.link.is === 'connected')) return;
    }
    throw new Broken(2, 'a surface did not come back');
  }

  async #judge(): Promise<void> {
    const c = this.#known();
    if (c === null) throw new Broken(1, 'the default conversation is not there');
    await this.#bringToRest(c);
    const view = await this.#curl.get(c);
    const history = await this.#wholeHistory(c);
    await this.#judgeSurfaces(c, view);
    this.#judgeWords(history);
    this.#judgeAnswers();
    await this.#judgeReceipts();
    const damage = [...this.#history.events.values()].find(
      ({ event }) => event.type === 'notice' && event.severity === 'error',
    );
    if (damage?.event.type === 'notice') throw new Broken(10, `something was lost: ${damage.event.text}`);
  }

  /** From wherever it stands a person can answer everything, and a message then gets its reply. */
  async #bringToRest(c: ConversationId): Promise<void> {
    const words = 'the last words';
    let sent = false;
    for (let round = 0; round < PATIENCE; round += 1) {
      this.#machine.clock.advance(5000);
      await this.#moments(8);
      this.#check();
      const view = await this.#curl.get(c);
      const [pause] = view.pauses.filter(open => open.kind !== 'chat');
      const act = pause === undefined ? null : this.#actFor(pause);
      if (pause !== undefined && act !== null)
        await this.#curl.decide(c, pause.id, act).catch(() => undefined);
      else if (view.turn === null && view.queue.length === 0) {
        if (sent) {
          const { items } = await this.#curl.history(c, null, 1);
          const reply = items.findLast(line => line.is === 'replied');
          if (reply?.is !== 'replied' || reply.text !== `heard ${words}`)
            throw new Broken(7, 'the last words got no reply');
          return;
        }
        sent = true;
        await this.#curl.send(c, { text: words, delivery: 'queue' });
      }
    }
    throw new Broken(7, 'the conversation does not come to rest');
  }

  async #judgeSurfaces(c: ConversationId, view: ConversationView): Promise<void> {
    await this.#moments(10);
    const fresh = await hydrate(this.#curl, c);
    for (const [name, { model }] of [
      ['console', this.#console],
      ['studio', this.#studio],
    ] as const) {
      if (model === null || model.cursor !== view.head)
        throw new Broken(2, `the ${name} stands at ${model?.cursor} and not at ${view.head}`);
      if (!isDeepStrictEqual(model.now, fresh.now))
        throw new Broken(2, `the ${name} thinks that it is otherwise`);
      if (!isDeepStrictEqual(tail(model, fresh), tail(fresh, fresh)))
        throw new Broken(2, `the ${name} shows another transcript`);
    }
  }

  /** Those of earlier epochs included. */
  #judgeWords(history: HistoryPage['items']): void {
    const said = history.filter(line => line.is === 'said');
    for (const { body, receipt } of this.#history.of('/messages')) {
      const found = said.filter(line => line.is === 'said' && line.text === body['text'] && line.text !== '');
      if (found.length > 1) throw new Broken(3, `"${String(body['text'])}" was said ${found.length} times`);
      if (receipt !== null && body['text'] !== '' && found[0]?.is === 'said') {
        if (found[0].message !== receipt.did.message)
          throw new Broken(3, `${receipt.commandId} is another message`);
      } else if (receipt !== null && body['text'] !== '')
        throw new Broken(1, `"${String(body['text'])}" was acknowledged and is not there`);
    }
  }

  #judgeAnswers(): void {
    const closed = new Set<string>();
    const questions = new Map<string, Pause>();
    const decisions = this.#history.of('/decisions');
    for (const { event } of [...this.#history.events.values()].toSorted(
      (a, b) => a.event.seq - b.event.seq,
    )) {
      if (event.type === 'pause.opened') questions.set(event.pause.id, event.pause);
      if (event.type !== 'pause.closed') continue;
      if (closed.has(event.pause)) throw new Broken(4, `${event.pause} was closed twice`);
      closed.add(event.pause);
      if (questions.get(event.pause)?.kind !== 'question' || event.how !== 'answered') continue;
      const meant = decisions.some(({ body }) => body['pause'] === event.pause);
      if (!meant) throw new Broken(4, `${event.pause} was answered by nobody`);
    }
  }

  async #judgeReceipts(): Promise<void> {
    const accepted = [...this.#history.commands.values()].filter(({ receipt }) => receipt !== null);
    const from = pick(this.#random, Math.max(1, accepted.length - AGAIN));
    for (const { url, method, body, receipt } of accepted.slice(from, from + AGAIN)) {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const response = await this.#network.fetch(url, { method, headers, body: JSON.stringify(body) });
      const reply = Replayed.safeParse(await response.json()).data;
      if (reply?.replayed !== true) throw new Broken(3, `${receipt?.commandId} happened again`);
    }
    this.#check();
  }

  async #wholeHistory(c: ConversationId): Promise<HistoryPage['items']> {
    const items: HistoryPage['items'] = [];
    for (let before: number | null = null; ; ) {
      const page: HistoryPage = await this.#curl.history(c, before, 7);
      items.unshift(...page.items);
      if (page.previous === null) return items;
      before = page.previous;
    }
  }

  /** Nothing reaches the backend whose intent would not survive. */
  async #intended(effect: string, disk: Machine['disk']): Promise<void> {
    if (pick(seededRandom(Number(effect.slice(1)) + this.#seed), 4) > 0) return;
    const survivor = disk.crash({ seed: 0 });
    const c = this.#known();
    if (c === null) return;
    const epochs = `/hearth/conversations/${c}/epochs`;
    for (const epoch of await survivor.list(epochs)) {
      for (const name of await survivor.list(`${epochs}/${epoch}`)) {
        if (!/^(journal.*|snapshot\.json)$/.test(name)) continue;
        const bytes = await survivor.read(`${epochs}/${epoch}/${name}`);
        if (new TextDecoder().decode(bytes ?? new Uint8Array()).includes(`"${effect}"`)) return;
      }
    }
    this.#thrown.push(new Broken(6, `the intent of ${effect} was not durable when it was started`));
  }

  #known(): ConversationId | null {
    return this.#console.model?.id ?? this.#studio.model?.id ?? null;
  }

  #client(surface: string): HearthClient {
    const { clock } = this.#machine;
    return new HearthClient({
      address: ADDRESS,
      token: TOKEN,
      surface,
      name: surface,
      fetch: this.#network.fetch,
      timers: { now: () => clock.now(), after: (ms, callback) => clock.after(ms, callback) },
      newCommandId: () => this.#commandId(),
    });
  }

  #surface(name: string): Attachment {
    return new Attachment({
      client: this.#client(name),
      onChange: () => undefined,
      onReachable: () => undefined,
      onGone: problem => void this.#thrown.push(problem),
      onArrived: () => undefined,
    });
  }

  #commandId(): string {
    return `simulated-${String((this.#commands += 1)).padStart(12, '0')}`;
  }

  #note(what: string): void {
    this.#trace.push(`${this.#machine.clock.active()} ms: ${what}`);
  }

  /** What was asked for may be refused or get no answer; the history knows which. */
  #ignore(work: Promise<unknown>): void {
    work.catch((thrown: unknown) => {
      if (thrown instanceof Broken) this.#thrown.push(thrown);
    });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#thrown.push(thrown);
    }
  }

  #check(): void {
    const [thrown] = this.#thrown;
    if (thrown !== undefined) throw thrown;
  }

  /** Lets everything happen that waits for nothing but its turn. */
  async #moments(count: number): Promise<void> {
    for (let moment = 0; moment < count; moment += 1) await new Promise(resolve => setImmediate(resolve));
  }
}

/** What both show: the items that the retained log tells of. */
function tail(model: Model, fresh: Model): readonly unknown[] {
  const from = fresh.items[0]?.seq ?? 0;
  return model.items.filter(item => item.seq >= from);
}
