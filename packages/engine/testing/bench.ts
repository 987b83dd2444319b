import type { Act, Decision } from '@hearth/protocol/decision.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import { didIn, judgeMessage } from '../accept.ts';
import type { Ask } from '../backend.ts';
import { compute } from '../compute.ts';
import type { EntryBody, Outcome } from '../entry.ts';
import { frameOf } from '../frame.ts';
import { judge, ready, step } from '../machine.ts';
import type { Plan } from '../runnable.ts';
import { chatPlan } from './sample-plan.ts';
import { initialState, type State } from '../state.ts';

/* The machine and what is asked of it, without a run and without time, for the tests of the machine. */

export const at = '2026-01-01T00:00:00.000Z';
export const digest = `sha256:${'0'.repeat(64)}` as const;
export const ada = { kind: 'person', name: 'ada', surface: 'console' } as const;
const id = (n: number): string => `command-${String(n).padStart(12, '0')}`;

/** Drives the machine as the run does, by hand. */
export class Bench {
  state: State = initialState();
  readonly plan: Plan;
  readonly events: EventBody[] = [];
  #commands = 0;

  constructor(plan: Plan = chatPlan()) {
    this.plan = plan;
  }

  enter(entry: EntryBody): void {
    const made = step(this.plan, this.state, { at, ...entry });
    this.state = made.state;
    this.events.push(...made.events);
    this.#computeAll();
  }

  #computeAll(): void {
    for (const effect of ready(this.plan, this.state)) {
      const node = this.plan.nodes[effect.node];
      const { run } = this.state.machine;
      if (node?.kind !== 'compute' || run === null) continue;
      this.#intend(effect.node, 'compute');
      this.enter({
        is: 'ended',
        effect: effect.id,
        outcome: compute(this.plan, frameOf(run, effect.branch), node, effect.input, this.state.ledgers),
        spend: NO_SPEND,
      });
      return;
    }
  }

  #intend(node: string, kind: 'agent' | 'compute'): void {
    const effect = ready(this.plan, this.state).find(candidate => candidate.node === node);
    if (effect === undefined) throw new Error(`"${node}" is not ready`);
    const { id: effectId, branch, attempt } = effect;
    this.enter({
      is: 'intended',
      effect: { id: effectId, branch, node, kind, attempt, backend: null },
    });
  }

  send(text: string, more: { delivery?: 'steer' | 'queue' | 'reject'; workspace?: string } = {}) {
    this.#commands += 1;
    const judged = judgeMessage(this.plan, this.state, {
      text,
      delivery: more.delivery ?? 'queue',
      workspace: more.workspace ?? null,
      by: ada,
      commandId: id(this.#commands),
      planDigest: digest,
      at,
    });
    if ('refused' in judged) return judged;
    this.enter(judged.entry);
    return { ...judged, did: didIn(judged.did, this.state) };
  }

  /** Decides; at a card on the version that is shown, unless it is to be another. */
  decide(pause: PauseId, act: Act, seen?: Pick<Decision, 'artifact' | 'version' | 'digest'>) {
    this.#commands += 1;
    const card = this.open.find(open => open.id === pause);
    const { artifact, version } = card?.kind === 'card' ? card.shown : {};
    const shown = seen ?? (artifact === undefined || version === undefined ? {} : { artifact, version });
    const judged = judge(this.plan, this.state, {
      commandId: id(this.#commands),
      pause,
      act,
      actor: ada,
      ...shown,
    });
    if ('entry' in judged) this.enter(judged.entry);
    return judged;
  }

  /** Starts the agent and tells its session. */
  start(session = 's1'): `e${number}` {
    const [effect] = ready(this.plan, this.state);
    if (effect === undefined) throw new Error('nothing is ready');
    this.#intend(effect.node, 'agent');
    this.enter({
      is: 'session',
      effect: effect.id,
      id: session,
      fingerprint: 'f',
      backend: 'fake',
      how: 'opened',
    });
    return effect.id;
  }

  end(effect: `e${number}`, outcome: Outcome, spend: Spend = { ...NO_SPEND, iterations: 1 }): void {
    this.enter({ is: 'ended', effect, outcome, spend });
  }

  reply(
    text: string,
    more: Record<string, never> | { close?: boolean; quick_replies?: string[] | string } = {},
  ): void {
    const output = { reply: text, close: false, quick_replies: [], ...more };
    this.end(this.start(), { is: 'done', output });
  }

  get open() {
    return this.state.machine.pauses;
  }

  told<T extends EventBody['type']>(type: T): Extract<EventBody, { type: T }>[] {
    return this.events.filter((event): event is Extract<EventBody, { type: T }> => event.type === type);
  }
}

export const ask = (text: string, options: string[] = ['yes', 'no']): Ask => ({
  text,
  options: options.map(option => ({ id: option, label: option })),
  allowFreeText: false,
});
