/** What surfaces do in a simulation, and what goes wrong; the seed chooses. */
import type { Seen } from '@hearth/client/call-options.ts';
import { openPauses } from '@hearth/client/view.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { pick } from '@hearth/store/seeded-random.ts';
import { actFor } from './answering.ts';
import { Broken } from './history.ts';
import type { Stage } from './stage.ts';
import { intrude } from './strangers.ts';

export class Acts {
  readonly #stage: Stage;
  #words = 0;
  /** Everything that was once open, to be answered again when it is closed. */
  readonly #once = new Map<string, Pause>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** One thing that somebody does, or that happens. */
  async act(): Promise<void> {
    const acts: readonly [weight: number, name: string, act: () => Promise<void> | void][] = [
      [10, 'say', () => this.#say()],
      [8, 'answer', () => this.#answer()],
      [2, 'answer again', () => this.#answerLate()],
      [3, 'answer amiss', () => this.#answerAmiss()],
      [3, 'interrupt', () => this.#interrupt()],
      [2, 'take back', () => this.#takeBack()],
      [1, 'begin anew', () => this.#beginAnew()],
      [2, 'make another', () => this.#another()],
      [1, 'intrude', () => this.#intrude()],
      [1, 'keep less', () => this.#keepLess()],
      [10, 'wait', () => this.#stage.machine.clock.advance(1 + pick(this.#stage.random, 3000))],
      [2, 'read a page', () => this.#read()],
      [2, 'break the lines', () => this.#stage.network.cut()],
      [2, 'look away', () => this.#stage.studio.suspend()],
      [2, 'look again', () => this.#stage.studio.resume()],
      [
        3,
        'network',
        () => void (this.#stage.network.trouble = [0, 0, 0.05, 0.2][pick(this.#stage.random, 4)] ?? 0),
      ],
      [3, 'power cut', () => this.#powerCut()],
      [1, 'kill', () => this.lose(1)],
      [1, 'stop and start', () => this.#restart()],
      [1, 'start another', () => this.#startAnother()],
      [2, 'full disk', () => this.#stage.machine.disk.room(pick(this.#stage.random, 2000))],
      [2, 'room again', () => this.#stage.machine.disk.room(null)],
      [1, 'failed sync', () => this.#stage.machine.disk.failNext('appendSync', 'disk_failed')],
      [1, 'failed rename', () => this.#stage.machine.disk.failNext('rename', 'disk_failed')],
    ];
    let left = pick(
      this.#stage.random,
      acts.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, name, act] of acts) {
      left -= weight;
      if (left >= 0) continue;
      this.#stage.note(name);
      await act();
      return;
    }
  }

  #say(): void {
    const text = `words ${(this.#words += 1)}`;
    const who = pick(this.#stage.random, 4);
    const surface = who === 0 ? this.#stage.console : this.#stage.studio;
    if (who < 2 && surface.model !== null) {
      this.#stage.ignore(surface.send(text));
      return;
    }
    const c = this.#stage.known();
    if (c === null) return;
    const delivery = (['queue', 'steer', 'reject'] as const)[pick(this.#stage.random, 3)] ?? 'queue';
    const command = { text, delivery, commandId: this.#stage.commandId() };
    this.#stage.ignore(this.#stage.curl.send(c, command));
    // A script that does not trust its first attempt.
    if (who === 3) this.#stage.ignore(this.#stage.curl.send(c, command));
  }

  #answer(): void {
    const surface = pick(this.#stage.random, 2) === 0 ? this.#stage.console : this.#stage.studio;
    const { model } = surface;
    const [pause] = model === null ? [] : openPauses(model).slice(pick(this.#stage.random, 2));
    if (pause === undefined) return;
    this.#once.set(pause.id, pause);
    const act = actFor(this.#stage.random, pause);
    if (act !== null) this.#stage.ignore(surface.decide(pause, act));
  }

  #answerLate(): void {
    const pauses = [...this.#once.values()];
    const pause = pauses[pick(this.#stage.random, Math.max(1, pauses.length))];
    const act = pause === undefined ? null : actFor(this.#stage.random, pause);
    if (pause !== undefined && act !== null && this.#stage.studio.model !== null)
      this.#stage.ignore(this.#stage.studio.decide(pause, act));
  }

  /** A decision that fits nothing that is open: whatever state it meets, it must be refused and change nothing. */
  #answerAmiss(): void {
    const c = this.#stage.known();
    const { random, studio, console, curl } = this.#stage;
    if (c === null || studio.model === null) return;
    const [open] = openPauses(studio.model);
    // Of several that are open any may be decided, also one that only the other surface knows of.
    const models = [studio.model, console.model].filter(model => model !== null);
    const known = new Set<string>(models.flatMap(openPauses).map(({ id }) => id));
    const [gone] = [...this.#once.keys()].filter(id => !known.has(id));
    const named = open?.id ?? 'p999999';
    const amiss: readonly [pause: string, act: Act, seen: Seen][] = [
      ['p999999', { do: 'answer', option: 'a' }, {}],
      [gone ?? 'p999999', { do: 'answer', option: 'b' }, {}],
      [named, { do: 'answer', option: 'no such option' }, {}],
      [named, { do: 'act', action: 'confirm' }, { artifact: 'plan', version: 1 }],
      [named, { do: 'permit', grant: 'once' }, {}],
    ];
    const [pause, act, seen] = amiss[pick(random, amiss.length)] ?? ['p999999', { do: 'cancel' }, {}];
    const commandId = this.#stage.commandId();
    this.#stage.history.amiss.add(commandId);
    this.#stage.ignore(curl.decide(c, pause as PauseId, act, { ...seen, commandId }));
  }

  #interrupt(): void {
    if (this.#stage.console.model !== null) this.#stage.ignore(this.#stage.console.interrupt());
  }

  #takeBack(): void {
    const queued = this.#stage.studio.model?.now.queue.at(-1);
    if (queued !== undefined) this.#stage.ignore(this.#stage.studio.unsend(queued.message));
  }

  #beginAnew(): void {
    const c = this.#stage.known();
    if (c !== null) this.#stage.ignore(this.#stage.curl.reset(c, { commandId: this.#stage.commandId() }));
  }

  #intrude(): void {
    const c = this.#stage.known();
    if (c !== null) this.#stage.ignore(intrude(this.#stage, c));
  }

  /** Another conversation, which is pinned, or is talked to and may then owe an answer; and is left to retention. */
  #another(): void {
    const { machine, random } = this.#stage;
    const { instance } = machine;
    if (instance === null) return;
    const pinned = pick(random, 3) === 0;
    const [create, pin, say] = [this.#stage.commandId(), this.#stage.commandId(), this.#stage.commandId()];
    const made = async (): Promise<void> => {
      const { conversations, gone } = instance;
      const actor = { kind: 'person', name: 'script', surface: 'script' } as const;
      const command = { commandId: create, actor, scope: { kind: 'global' } as const };
      const { id } = (await Promise.race([conversations.create(command), gone])).view;
      if (!pinned) {
        const lane = await Promise.race([conversations.lane(id), gone]);
        await Promise.race([
          lane.send({ commandId: say, actor, text: `elsewhere ${say}`, delivery: 'queue' }),
          gone,
        ]);
        return;
      }
      await Promise.race([conversations.change(id, { commandId: pin, actor, pinned }), gone]);
      this.#stage.pinned.add(id);
    };
    this.#stage.ignore(made());
  }

  #keepLess(): void {
    const { instance } = this.#stage.machine;
    if (instance === null) return;
    this.#stage.ignore(Promise.race([instance.conversations.retain(), instance.gone]));
  }

  #read(): void {
    const c = this.#stage.known();
    const seen = [...this.#stage.history.events.values()];
    const from = seen[pick(this.#stage.random, Math.max(1, seen.length))]?.cursor ?? null;
    if (c !== null)
      this.#stage.ignore(this.#stage.curl.events(c, pick(this.#stage.random, 3) === 0 ? null : from, 50));
  }

  async #powerCut(): Promise<void> {
    this.#stage.machine.crashSoon(1 + pick(this.#stage.random, 60));
    for (let moment = 0; moment < 40 && this.#stage.machine.disk.stoppedBefore === null; moment += 1) {
      if (moment % 8 === 4) this.#say();
      if (moment === 6) await this.#startAnother();
      await this.#stage.moments(2);
    }
    await this.lose(2 + pick(this.#stage.random, 1000));
  }

  async lose(survival: number): Promise<void> {
    this.#stage.machine.lose(survival);
    this.#stage.network.cut();
    await this.#stage.moments(3);
    // A boot may be cut short as well.
    if (pick(this.#stage.random, 3) === 0) {
      this.#stage.machine.crashSoon(1 + pick(this.#stage.random, 40));
      await this.#stage.machine.boot();
      await this.#stage.moments(3);
      this.#stage.machine.lose(2 + pick(this.#stage.random, 1000));
    }
    // Who comes first serves it, whoever else finds it gone in the same moment.
    await Promise.all([this.#stage.machine.boot(), this.#stage.machine.boot()]);
  }

  async #restart(): Promise<void> {
    // While it stops nobody else begins.
    await Promise.all([this.#stage.machine.stop(), this.#startAnother()]);
    await this.#stage.machine.boot();
  }

  /** A start finds the service that is there, and leaves the home to it. */
  async #startAnother(): Promise<void> {
    const { machine } = this.#stage;
    const { instance } = machine;
    await machine.boot();
    if (instance?.alive() === true && machine.instance !== instance)
      throw new Broken(9, 'a second start took the place of the service');
  }
}
