import type { ArtifactRef, ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Digest, Instant, MessageId, PauseId, RunId } from '@hearth/protocol/ids.ts';
import { labelOf, type Pause } from '@hearth/protocol/pause.ts';
import type { Text } from '@hearth/protocol/text.ts';
import { digestOf, textOf } from '../long-text.ts';
import type { Plan } from '../runnable.ts';
import {
  CLOSED_KEPT,
  type ClosedPause,
  type MachineState,
  type RunState,
  type State,
  type Token,
} from '../state.ts';
import type { Step, Words } from '../step.ts';
import { stateCopy } from './state-copy.ts';

/**
 * A state under change: a private copy, together with what is to be told of the change. Everything that an entry
 * does goes through one of these, so that `step` is a function of the plan, the state and the entry alone.
 */
export class Draft {
  readonly plan: Plan;
  readonly state: State;
  readonly at: Instant;
  readonly #events: EventBody[] = [];
  readonly #words: Words[] = [];
  readonly #blobs: string[] = [];
  readonly #versions: ArtifactVersion[] = [];
  /** The run that this change belongs to: the active one, also after it has ended here. */
  #about: RunId | undefined;
  /** The message that this change is about, if it has just been accepted. */
  accepted: MessageId | null = null;
  /** How the turn ends if this change brings the run home. */
  turnEnds: { readonly change: 'completed' | 'failed' | 'cancelled'; readonly code?: string } = {
    change: 'completed',
  };
  /** A run was left for a changed bot: the next one begins under a plan that this change does not know. */
  waitsForPlan = false;

  constructor(plan: Plan, state: State, at: Instant) {
    this.plan = plan;
    this.state = stateCopy(state);
    this.at = at;
    this.#about = this.run?.id;
  }

  /** From now on what is told belongs to this run. */
  began(run: RunState): void {
    this.machine.run = run;
    this.#about = run.id;
  }

  get machine(): MachineState {
    return this.state.machine;
  }

  /** The active run, or `null`. */
  get run(): RunState | null {
    return this.machine.run?.status === 'active' ? this.machine.run : null;
  }

  /** The bot as an actor. */
  get bot(): Actor {
    return { kind: 'bot', name: this.plan.title, surface: 'bot' };
  }

  /** Gives out the next id of a kind. */
  next<L extends 'r' | 't' | 'p' | 'e' | 'm'>(letter: L): `${L}${number}` {
    const name = COUNTER[letter];
    this.state.counters[name] += 1;
    return `${letter}${this.state.counters[name]}`;
  }

  /** Tells an event; run, turn and branch are added where they are known. */
  emit(event: EventBody, token?: Token): void {
    const run = this.#about;
    const turn = this.machine.turn?.id;
    this.#events.push({
      ...(run === undefined ? {} : { run }),
      ...(turn === undefined ? {} : { turn }),
      ...(token?.branch == null ? {} : { branch: token.branch }),
      ...event,
    });
  }

  say(words: Words): void {
    this.#words.push(words);
  }

  notice(code: string, severity: 'info' | 'warning' | 'error', text: string): void {
    this.emit({ type: 'notice', code, severity, text });
  }

  /** The text itself, or a reference to a blob when it is long. */
  text(text: string): Text {
    const made = textOf(text);
    if (typeof made !== 'string') this.#blobs.push(text);
    return made;
  }

  /** Keeps a text as a blob, whatever its length. */
  blob(text: string): Digest {
    this.#blobs.push(text);
    return digestOf(text);
  }

  /** Keeps a version of an artifact, whole. */
  keep(version: ArtifactVersion): void {
    this.#versions.push(version);
  }

  /** Opens a pause and tells of it; the pause's words also go to the transcript unless they are the reply's. */
  openPause(pause: Pause, token?: Token): void {
    this.machine.pauses.push(pause);
    this.emit({ type: 'pause.opened', pause }, token);
    if (pause.kind !== 'chat') {
      this.say({ is: 'asked', turn: pause.turn, pause: pause.id, kind: pause.kind, text: pause.text });
    }
  }

  /** Closes a pause; nothing happens when it is not open. */
  closePause(
    id: PauseId,
    how: ClosedPause['how'],
    by: Actor,
    more: { action?: string; option?: string; text?: string; shown?: ArtifactRef } = {},
  ): void {
    const index = this.machine.pauses.findIndex(pause => pause.id === id);
    const [pause] = index < 0 ? [] : this.machine.pauses.splice(index, 1);
    if (pause === undefined) return;
    const { text, shown, ...named } = more;
    const option = named.option ?? named.action;
    const label = option === undefined ? null : labelOf(pause, option);
    const read = label === null ? {} : { label: label.slice(0, LABEL_KEPT) };
    this.machine.closed.push({ pause: id, how, by, at: this.at, ...named, ...read });
    this.machine.closed.splice(0, Math.max(0, this.machine.closed.length - CLOSED_KEPT));
    const said = text === undefined ? {} : { text: this.text(text) };
    this.emit({ type: 'pause.closed', pause: id, how, by, ...named, ...said });
    if (pause.kind === 'chat') return;
    this.say({
      is: 'decided',
      turn: pause.turn,
      pause: id,
      by,
      how,
      ...(option === undefined ? {} : { option }),
      ...(label === null ? {} : { label }),
      ...said,
      ...(shown === undefined ? {} : { shown }),
    });
  }

  /** The finished step. */
  finish(): Step {
    return {
      state: this.state,
      events: this.#events,
      words: this.#words,
      blobs: this.#blobs,
      versions: this.#versions,
    };
  }
}

/** Characters of a label that are remembered with a closed pause. */
const LABEL_KEPT = 200;

const COUNTER = { r: 'run', t: 'turn', p: 'pause', e: 'effect', m: 'message' } as const;

/** The service as an actor. */
export const SERVICE: Actor = { kind: 'service', name: 'hearth', surface: 'service' };
