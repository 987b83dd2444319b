import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import { stateWords } from './tickets.ts';

/*
 * Which events are told as one line of the transcript, and in which words. Healthy plumbing (a node that starts, a
 * session that resumes) is no news and has no line.
 */

/** One line about what happened. `code` is stable, `text` is for a person. */
export interface Fact {
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
}

type Kind = Event['type'];
type Of<K extends Kind> = Extract<Event, { type: K }>;
type Teller<K extends Kind> = (event: Of<K>) => Fact | null;

function info(code: string, text: string): Fact {
  return { code, severity: 'info', text };
}
function warning(code: string, text: string): Fact {
  return { code, severity: 'warning', text };
}
function failure(code: string, text: string): Fact {
  return { code, severity: 'error', text };
}
function because(summary: string | undefined): string {
  return summary === undefined || summary === '' ? '.' : `: ${summary}`;
}

/** How a turn ended that nobody finished: `STOPPED` is the code of a review's action that stops. */
export function cancelledWords(code: string | null): string {
  return code === 'STOPPED' ? 'The turn was stopped.' : 'The turn was interrupted.';
}

const AXIS_NAME = { duration: 'time', cost: 'cost', tokens: 'tokens', iterations: 'steps' };
const BUDGET_SAYS = {
  warned: 'is nearly used up',
  blocked: 'leaves no room for the next step',
  stopped: 'is used up and stopped the work',
  raised: 'was raised',
};

const RESET = info('reset', 'A fresh context begins here.');
const RESTORED = info('restored', 'This conversation was brought back from the trash.');
const IMPORTED = info('imported', 'This conversation was imported.');
const RUN_ENDED = info('run_ended', 'The bot closed this run; your next message starts a fresh one.');

const CONVERSATION: Partial<Record<Of<'conversation'>['change'], Teller<'conversation'>>> = {
  renamed: event => info('renamed', `This conversation is now called "${event.title}".`),
  bot: event => info('bot_changed', `The bot is now ${event.bot}.`),
  reset: () => RESET,
  restored: () => RESTORED,
  imported: () => IMPORTED,
};

const RUN: Partial<Record<string, Teller<'run'>>> = {
  done: () => RUN_ENDED,
  failed: event =>
    failure(
      event.code ?? 'run_failed',
      `The run failed (${event.code ?? 'no code'}); your next message starts a fresh one.`,
    ),
};

const SESSION: Partial<Record<Of<'session'>['change'], Teller<'session'>>> = {
  reseeded: event =>
    warning(
      'session_reseeded',
      `The model's own memory of this conversation was lost; it goes on from the transcript${because(event.reason)}`,
    ),
  degraded: event =>
    warning(
      'session_degraded',
      `The model goes on with less than the whole conversation${because(event.reason)}`,
    ),
  compacted: event =>
    info('session_compacted', `The model shortened its memory of this conversation${because(event.reason)}`),
};

const TURN: Partial<Record<Of<'turn'>['change'], Teller<'turn'>>> = {
  failed: event => failure(event.code ?? 'turn_failed', `The turn failed${because(event.summary)}`),
  cancelled: event => info('turn_cancelled', cancelledWords(event.code ?? null)),
};

const ARTIFACT: Partial<Record<Of<'artifact'>['change'], string>> = {
  confirmed: 'is confirmed',
  invalidated: 'no longer holds',
  withdrawn: 'was withdrawn',
};

function ticketWords({ ticket, title, change, from, state }: Of<'ticket'>): string {
  const named = `${ticket} "${title}"`;
  if (change === 'watched') return `${named} is ${stateWords(state)}; its moves are told here.`;
  const where = from === undefined ? '' : `${stateWords(from)} → `;
  return `${named} ${change}: ${where}${stateWords(state)}.`;
}

const TELLERS: { readonly [K in Kind]?: Teller<K> } = {
  conversation: event => CONVERSATION[event.change]?.(event) ?? null,
  run: event => (event.reason === undefined ? null : (RUN[event.reason]?.(event) ?? null)),
  session: event => SESSION[event.change]?.(event) ?? null,
  turn: event => TURN[event.change]?.(event) ?? null,
  artifact: event => {
    const says = ARTIFACT[event.change];
    return says === undefined
      ? null
      : info(`artifact_${event.change}`, `${event.ref.artifact}@${event.ref.version} ${says}.`);
  },
  budget: event => {
    const text = `The ${event.ledger} budget for ${AXIS_NAME[event.axis]} ${BUDGET_SAYS[event.change]} (${event.used} of ${event.limit}).`;
    return event.change === 'raised' ? info('budget_raised', text) : warning(`budget_${event.change}`, text);
  },
  rule: ({ change, rule, grant }) => {
    const said = grant === 'always' ? 'allowed' : 'denied';
    return change === 'kept'
      ? info('rule_kept', `From now on ${rule} is ${said} in this conversation.`)
      : info('rule_revoked', `${rule} is no longer ${said} for good.`);
  },
  ticket: event => (event.watched ? info('ticket', ticketWords(event)) : null),
  notice: event => ({ code: event.code, severity: event.severity, text: event.text }),
};

/** The line that tells of an event, or `null` when it has none. */
export function factOf(event: Event | UnsupportedEvent): Fact | null {
  if (event.type === 'unsupported')
    return info('unsupported', `Something this version cannot show ("${event.name}").`);
  const tell = TELLERS[event.type] as ((event: Event) => Fact | null) | undefined;
  return tell?.(event) ?? null;
}

type Mark = Extract<TranscriptLine, { is: 'mark' }>;

const MARKS: Readonly<Record<Mark['mark'], (text: string) => Fact | null>> = {
  run: text =>
    text === 'done'
      ? RUN_ENDED
      : text === 'failed'
        ? failure('run_failed', 'The run failed; the next message started a fresh one.')
        : null,
  reset: () => RESET,
  restored: () => RESTORED,
  imported: () => IMPORTED,
  lost: text => warning('words_lost', text),
};

/** The line that tells of a mark in the transcript, or `null` when it has none. */
export function markFact(line: Mark): Fact | null {
  return MARKS[line.mark](line.text);
}
