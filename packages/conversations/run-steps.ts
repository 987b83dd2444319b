/**
 * What a run did, step by step, made of the commits that are kept of it: pure. Words and what a provider or a tool said are
 * left out; they are in the history, where their reader looks for them.
 */
import type { Entry } from '@hearth/engine/entry.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { EffectId } from '@hearth/protocol/ids.ts';
import type { RunStep } from '@hearth/protocol/run.ts';
import type { TraceLine } from './ports.ts';

/** A step without its place. */
type Body = RunStep extends infer S
  ? S extends unknown
    ? Omit<S, 'n' | 'at' | 'turn' | 'branch'>
    : never
  : never;

/** The steps of commits, in order. */
export function stepsOf(lines: readonly TraceLine[]): readonly RunStep[] {
  const nodes = new Map<EffectId, string>();
  const computed = new Set<EffectId>();
  const steps: RunStep[] = [];
  for (const { n, at, entries, events } of lines) {
    const turn = events.findLast(event => event.turn !== undefined)?.turn;
    const push = (body: Body, about: Pick<Event, 'turn' | 'branch'>): void => {
      const place = {
        n,
        at,
        ...(about.turn === undefined ? {} : { turn: about.turn }),
        ...(about.branch === undefined ? {} : { branch: about.branch }),
      };
      steps.push({ ...place, ...body } as RunStep);
    };
    const about = turn === undefined ? {} : { turn };
    // What ended leads to what is told, and that to what begins.
    const of = entries.flatMap(entry => ofEntry(entry, nodes, computed));
    for (const body of of) if (!begins(body)) push(body, about);
    for (const event of events) {
      const body = ofEvent(event);
      if (body !== null) push(body, event);
    }
    for (const body of of) if (begins(body)) push(body, about);
  }
  return steps;
}

function begins(body: Body): boolean {
  return body.is === 'effect' && body.change === 'started';
}

function ofEntry(entry: Entry, nodes: Map<EffectId, string>, computed: Set<EffectId>): readonly Body[] {
  switch (entry.is) {
    case 'intended': {
      const { id, node, attempt, kind } = entry.effect;
      nodes.set(id, node);
      // What is worked out at once is told by its node alone.
      if (kind === 'compute') computed.add(id);
      return kind === 'compute' ? [] : [{ is: 'effect', effect: id, node, change: 'started', attempt }];
    }
    case 'ended': {
      const { effect, outcome, spend } = entry;
      if (computed.delete(effect)) return [];
      const code = outcome.is === 'failed' ? { code: outcome.code } : {};
      return [{ is: 'effect', effect, node: nodes.get(effect) ?? null, change: outcome.is, ...code, spend }];
    }
    case 'restarted':
      return entry.effects.map(effect => ({
        is: 'effect',
        effect,
        node: nodes.get(effect) ?? null,
        change: 'cut',
        code: entry.why ?? 'stopped',
      }));
    case 'paused':
    case 'resumed':
    case 'cancelled':
      return [{ is: 'run', change: entry.is, by: entry.by }];
    default:
      return [];
  }
}

function ofEvent(event: Event): Body | null {
  switch (event.type) {
    case 'run': {
      const { change, plan, reason, code } = event;
      return {
        is: 'run',
        change,
        plan,
        ...(reason === undefined ? {} : { reason }),
        ...(code === undefined ? {} : { code }),
      };
    }
    case 'turn': {
      const { change, code, spend } = event;
      return {
        is: 'turn',
        change,
        ...(code === undefined ? {} : { code }),
        ...(spend === undefined ? {} : { spend }),
      };
    }
    case 'node': {
      const { node, iteration, change, edge, edges } = event;
      return {
        is: 'node',
        node,
        iteration,
        change,
        ...edge,
        ...(edges === undefined ? {} : { forks: edges }),
      };
    }
    case 'session': {
      const { node, backend, change, reason } = event;
      return { is: 'session', node, backend, change, ...(reason === undefined ? {} : { reason }) };
    }
    case 'tool': {
      const { name, change, ms } = event;
      return { is: 'tool', name, change, ...(ms === undefined ? {} : { ms }) };
    }
    case 'pause.opened': {
      const { pause } = event;
      const why = pause.kind === 'recovery' ? { cause: pause.cause, code: pause.code } : {};
      return { is: 'pause', pause: pause.id, kind: pause.kind, node: pause.node, ...why };
    }
    case 'pause.closed': {
      const { pause, how, by, option, action } = event;
      const choice = option ?? action;
      return { is: 'answer', pause, how, by, ...(choice === undefined ? {} : { choice }) };
    }
    case 'budget': {
      const { ledger, axis, change, used, limit } = event;
      return { is: 'budget', ledger, axis, change, used, limit };
    }
    case 'artifact':
      return {
        is: 'artifact',
        artifact: event.ref.artifact,
        version: event.ref.version,
        change: event.change,
      };
    case 'notice':
      return { is: 'notice', code: event.code, severity: event.severity };
    default:
      return null;
  }
}
