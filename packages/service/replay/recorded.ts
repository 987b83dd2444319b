import type {
  BackendStep,
  EngineStep,
  PersonStep,
  RecordedOutcome,
  Recording,
  RecordingStep,
} from '@hearth/backends/replay/recording.ts';
import type { RunTrace, TraceLine } from '@hearth/conversations/ports.ts';
import type { Entry, Outcome } from '@hearth/engine/entry.ts';
import type { Event } from '@hearth/protocol/event.ts';
import { JsonObject } from '@hearth/protocol/json.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Text } from '@hearth/protocol/text.ts';

/*
 * Makes a recording of a run's trace: every id becomes a count, times and sessions' names go, and so does what a node's
 * output says of its session. Pure: the same trace gives the same recording.
 */

/** Why a run cannot be recorded. */
export type Unrecordable = 'incomplete' | 'damaged' | 'replanned' | 'empty';

/** The recording of a run, or why there can be none: a trace that lacks commits gives none. */
export function recorded(bot: string, trace: RunTrace): Recording | Unrecordable {
  if (trace.dropped > 0 || trace.lines.some(line => line.cut !== undefined)) return 'incomplete';
  const entries = trace.lines.flatMap(line => line.entries);
  if (entries.some(entry => entry.is === 'damaged')) return 'damaged';
  if (entries.some(entry => entry.is === 'replanned')) return 'replanned';
  const recorder = new Recorder(entries);
  const steps = trace.lines.flatMap(line => recorder.steps(line));
  if (!steps.some(step => step.is === 'message')) return 'empty';
  const backends = entries.flatMap(entry => (entry.is === 'session' ? [entry.backend] : []));
  return {
    head: { is: 'recording', format: 1, bot, backends: [...new Set(backends)].sort() },
    steps,
  };
}

/** Counts things of one kind in the order in which they came. */
class Count<T> {
  readonly #numbers = new Map<T, number>();

  of(thing: T): number {
    const known = this.#numbers.get(thing) ?? this.#numbers.size + 1;
    this.#numbers.set(thing, known);
    return known;
  }

  has(thing: T): boolean {
    return this.#numbers.has(thing);
  }
}

class Recorder {
  readonly #entries: readonly Entry[];
  readonly #messages = new Count<string>();
  readonly #pauses = new Count<string>();
  readonly #effects = new Count<string>();
  /** Which node an effect is of, and the effect that each node started last. */
  readonly #nodes = new Map<string, string>();
  readonly #latest = new Map<string, number>();
  readonly #calls = new Set<string>();

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  steps({ entries, events }: TraceLine): RecordingStep[] {
    return [...entries.flatMap(entry => this.#entry(entry)), ...events.flatMap(event => this.#event(event))];
  }

  #entry(entry: Entry): RecordingStep[] {
    switch (entry.is) {
      case 'accepted': {
        const { id, text, delivery } = entry.message;
        return [{ is: 'message', message: this.#messages.of(id), text, delivery }];
      }
      case 'unsent':
        return [{ is: 'unsent', message: this.#messages.of(entry.message) }];
      case 'decided':
        return [this.#decision(entry.decision)];
      case 'interrupted':
        return [{ is: 'interrupt' }];
      case 'paused':
        return [{ is: 'operate', what: 'pause' }];
      case 'resumed':
        return [{ is: 'operate', what: 'resume' }];
      case 'cancelled':
        return [{ is: 'operate', what: 'cancel' }];
      case 'raised':
        return [{ is: 'raise', ledger: entry.ledger, axis: entry.axis, to: entry.to }];
      case 'restarted':
        return [{ is: 'restart' }];
      case 'intended':
        return this.#intended(entry.effect);
      case 'ended':
        return this.#ended(entry.effect, entry.outcome, entry.spend);
      default:
        return this.#backend(entry);
    }
  }

  #decision({ pause, artifact, version, act }: Extract<Entry, { is: 'decided' }>['decision']): PersonStep {
    return {
      is: 'decision',
      pause: this.#pauses.of(pause),
      ...(artifact === undefined ? {} : { artifact }),
      ...(version === undefined ? {} : { version }),
      act,
    };
  }

  #intended({ id, node, kind, branch }: Extract<Entry, { is: 'intended' }>['effect']): EngineStep[] {
    this.#nodes.set(id, node);
    if (kind === 'compute') return [];
    const effect = this.#effects.of(id);
    this.#latest.set(node, effect);
    return [{ is: 'started', effect, kind, node, branch }];
  }

  #ended(
    id: string,
    outcome: Outcome,
    spend: Extract<Entry, { is: 'ended' }>['spend'],
  ): (BackendStep | EngineStep)[] {
    const node = this.#nodes.get(id) ?? '';
    if (this.#effects.has(id)) {
      const { tokens, costUsd, unpriced } = spend;
      const kept = { ...NO_SPEND, tokens, costUsd, unpriced };
      return [{ is: 'outcome', effect: this.#effects.of(id), outcome: outcomeOf(outcome), spend: kept }];
    }
    if (outcome.is !== 'done') return [];
    return [{ is: 'computed', node, output: plain(outcome.output) }];
  }

  #backend(entry: Entry): BackendStep[] {
    if (!('effect' in entry) || typeof entry.effect !== 'string') return [];
    const effect = this.#effects.of(entry.effect);
    switch (entry.is) {
      case 'session': {
        const { how, degraded, projection } = entry;
        const more = {
          ...(degraded === undefined ? {} : { degraded }),
          ...(projection === undefined ? {} : { projection }),
        };
        return [{ is: 'session', effect, how, ...more }];
      }
      case 'called': {
        this.#calls.add(entry.call);
        const back = this.#entries.find(
          other => other.is === 'returned' && other.effect === entry.effect && other.call === entry.call,
        );
        const detail = back?.is === 'returned' ? back.detail : undefined;
        const came = back?.is !== 'returned' ? 'none' : back.failed ? 'failed' : 'well';
        const { name, title } = entry;
        return [{ is: 'called', effect, name, title, came, ...(detail === undefined ? {} : { detail }) }];
      }
      case 'taken':
      case 'seen':
        return [{ is: entry.is, effect, messages: entry.messages.map(id => this.#messages.of(id)) }];
      default:
        return [];
    }
  }

  #event(event: Event): RecordingStep[] {
    switch (event.type) {
      case 'narration': {
        const effect = this.#latest.get(event.node);
        return effect === undefined ? [] : [{ is: 'narration', effect, text: textOf(event.text) }];
      }
      case 'tool':
        return this.#native(event);
      case 'node': {
        if (event.edge === undefined) return [];
        const { node, iteration, edge } = event;
        return [
          {
            is: 'went',
            node,
            iteration,
            to: edge.to,
            ...(edge.loop === undefined ? {} : { loop: edge.loop }),
          },
        ];
      }
      case 'pause.opened':
        return [this.#opened(event.pause)];
      case 'pause.closed':
        return [{ is: 'closed', pause: this.#pauses.of(event.pause), how: event.how }];
      case 'message':
        return event.by.kind === 'bot' ? [{ is: 'replied', text: textOf(event.text) }] : [];
      case 'run':
        if (event.change !== 'ended') return [];
        return [
          {
            is: 'ended',
            reason: event.reason ?? 'done',
            ...(event.code === undefined ? {} : { code: event.code }),
          },
        ];
      default:
        return [];
    }
  }

  /** A tool of the backend's own; calls of Hearth's are entries. */
  #native({ call, name, change, title }: Extract<Event, { type: 'tool' }>): BackendStep[] {
    // Only one effect can show tools of its own at a time unless branches run; then the latest is taken.
    const effect = Math.max(0, ...this.#latest.values());
    if (this.#calls.has(call) || this.#effects.has(call) || effect === 0) return [];
    return [{ is: 'tool', effect, name, change, ...(title === undefined ? {} : { title }) }];
  }

  #opened(pause: Pause): EngineStep {
    const { id, kind, node, text } = pause;
    const options =
      pause.kind === 'question'
        ? pause.options.map(option => option.id)
        : pause.kind === 'recovery'
          ? pause.choices.map(choice => choice.id)
          : pause.kind === 'card' || pause.kind === 'input'
            ? pause.actions.map(action => action.name)
            : [];
    const fields = 'fields' in pause ? pause.fields : undefined;
    return {
      is: 'opened',
      pause: this.#pauses.of(id),
      kind,
      node,
      text: textOf(text),
      options,
      ...(fields === undefined ? {} : { fields }),
    };
  }
}

function outcomeOf(outcome: Outcome): RecordedOutcome {
  switch (outcome.is) {
    case 'done':
      return { is: 'done', output: plain(outcome.output) };
    case 'parked':
      return {
        is: 'parked',
        asks: outcome.asks.map(({ call, text, options, allowFreeText }) => ({
          ...(call === undefined ? {} : { call }),
          text,
          options: [...options],
          allowFreeText,
        })),
        ...(outcome.permits.length === 0
          ? {}
          : {
              permits: outcome.permits.map(({ id, tool, args }) => ({
                id,
                tool,
                args: JsonObject.catch({}).parse(args),
              })),
            }),
      };
    case 'stopped':
      return { is: 'stopped' };
    case 'failed': {
      const { is, code, message, began, retryAfterMs } = outcome;
      return { is, code, message, began, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
  }
}

/** An output without what the engine adds to it. */
function plain(output: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(output).filter(([key]) => !key.startsWith('_')));
}

function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.head;
}
