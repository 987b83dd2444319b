import type { Event } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Facts, Level, Log } from './log.ts';

/*
 * What the log tells of the work in conversations: ids, names, codes, counts and times. Nothing that anybody said is in
 * it, a model neither: a text, a title, a reason or an option never is a fact, and a name that could be words is left out.
 */

interface Line {
  readonly event: string;
  readonly level: Level;
  readonly facts: Facts;
}

/** Writes down what happens in conversations, as it is published. */
export function logWork(log: Log, conversation: ConversationId, frame: Frame): void {
  if (frame.frame !== 'event') return;
  const line = lineOf(frame.event);
  if (line === null) return;
  const { run, turn, branch } = frame.event;
  const about: Facts = {
    conversation,
    seq: frame.event.seq,
    ...(run === undefined ? {} : { run }),
    ...(turn === undefined ? {} : { turn }),
    ...(branch === undefined ? {} : { branch }),
  };
  log.write(line.event, { ...about, ...line.facts }, line.level);
}

/** The line of an event; `null` when the log says nothing of it. Exhaustive, so that no new event slips in unseen. */
function lineOf(event: Event): Line | null {
  switch (event.type) {
    case 'conversation':
      return line('conversation', 'info', { change: event.change });
    case 'message':
      return line('message', 'debug', {
        message: event.message,
        by: event.by.kind,
        ...(event.delivery === undefined ? {} : { delivery: event.delivery }),
      });
    case 'message.moved':
      return line('message_moved', 'debug', { message: event.message, to: event.to });
    case 'run':
      return line('run', event.reason === 'failed' ? 'warning' : 'info', {
        change: event.change,
        reason: event.reason ?? null,
        code: codeOf(event.code),
      });
    case 'turn':
      return turnLine(event);
    case 'node':
      return line('node', event.change === 'failed' ? 'warning' : 'debug', {
        node: event.node,
        iteration: event.iteration,
        change: event.change,
        ...(event.edge === undefined ? {} : { to: event.edge.to, loop: event.edge.loop ?? null }),
      });
    case 'tool':
      return line('tool', event.change === 'denied' ? 'warning' : 'debug', {
        tool: nameOf(event.name),
        change: event.change,
        ...(event.ms === undefined ? {} : { ms: event.ms }),
      });
    case 'pause.opened':
      return pauseLine(event);
    case 'pause.changed':
      return line('pause', 'debug', { pause: event.pause.id, change: event.why });
    case 'pause.closed':
      return line('pause', 'debug', { pause: event.pause, change: 'closed', how: event.how });
    case 'artifact':
      return line('artifact', 'info', {
        artifact: event.ref.artifact,
        version: event.ref.version,
        digest: event.ref.digest,
        change: event.change,
      });
    case 'budget':
      return line('budget', event.change === 'raised' ? 'info' : 'warning', {
        ledger: event.ledger,
        axis: event.axis,
        change: event.change,
        used: event.used,
        limit: event.limit,
      });
    case 'session':
      return line('session', event.change === 'degraded' ? 'warning' : 'debug', {
        node: event.node,
        backend: event.backend,
        change: event.change,
      });
    case 'rule':
      // The rule itself may hold words of a person.
      return line('rule', 'info', { change: event.change, grant: event.grant });
    case 'context':
      return line('context', 'debug', { node: event.node, used: event.used, window: event.window });
    case 'notice':
      return line('notice', event.severity, { code: codeOf(event.code) });
    case 'narration':
    case 'ticket':
      return null;
    default:
      return event satisfies never;
  }
}

function turnLine({ change, code, spend, message }: Extract<Event, { type: 'turn' }>): Line {
  const spent: Facts =
    spend === undefined
      ? {}
      : { ms: spend.activeMs, tokens: spend.tokens, costUsd: spend.costUsd, iterations: spend.iterations };
  return line('turn', change === 'failed' ? 'warning' : 'info', {
    change,
    message,
    code: codeOf(code),
    ...spent,
  });
}

function pauseLine({ pause }: Extract<Event, { type: 'pause.opened' }>): Line {
  const { id, kind, node } = pause;
  const facts: Facts = { pause: id, change: 'opened', kind, node };
  if (pause.kind !== 'recovery') return line('pause', 'debug', facts);
  return line('pause', 'warning', { ...facts, cause: pause.cause, code: codeOf(pause.code) });
}

function line(event: string, level: Level, facts: Facts): Line {
  return { event, level, facts };
}

/** A tool's name may be a model's invention, and a code an author's; only what looks like a name is told. */
function nameOf(name: string): string {
  return /^[\w.:-]{1,80}$/.test(name) ? name : 'other';
}

function codeOf(code: string | undefined): string | null {
  return code === undefined ? null : nameOf(code);
}
