import type { Closed, Fate, ToolLine } from '@hearth/client/item.ts';
import { stateOf } from '@hearth/client/now.ts';
import type { HearthProblem } from '@hearth/client/problem.ts';
import type { Model } from '@hearth/client/view.ts';
import { waitingPauses } from '@hearth/client/view.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import { labelOf, type Pause } from '@hearth/protocol/pause.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import type { Sheet } from './sheet.ts';
import { duration, oneLine } from './text.ts';

/* How the studio puts into words what the view model says. Pure. */

/** What to call someone: "you" for whoever sits here, and where the words came from when that is another surface. */
export function speaker(by: Actor, me: Actor): string {
  if (by.kind === 'bot') return oneLine(by.name);
  if (by.kind === 'service') return 'Hearth';
  const self = by.name === me.name;
  if (self && by.surface === me.surface) return 'You';
  return `${self ? 'You' : oneLine(by.name)} (${oneLine(by.surface)})`;
}

/** What became of a message, where there is something to say. */
export const FATE: Readonly<Record<Fate, string | null>> = {
  queued: 'waits in the queue',
  delivered: 'handed to the running turn',
  consumed: null,
  absorbed: 'joined the running turn',
  cancelled: 'taken back',
  uncertain: 'it is not known whether this was read',
};

/** How a call of a tool stands. */
export const STEP: Readonly<Record<ToolLine['change'], string>> = {
  started: 'under way',
  completed: 'done',
  failed: 'failed',
  denied: 'denied',
};

/** The heading of a pause. */
export const HEADING: { readonly [K in Pause['kind']]: string } = {
  chat: '',
  question: 'A question',
  card: 'For review',
  input: 'Data is needed',
  permission: 'May this be done?',
  recovery: 'The work stopped',
};

const HOW: Readonly<Record<Closed['how'], string>> = {
  answered: 'Answered',
  acted: 'Decided',
  cancelled: 'Cancelled',
  superseded: 'No longer needed',
};

/** How a pause was closed, and by whom, in one line. Of one that the log does not tell of any more `pause` is `null`. */
export function closing(pause: Pause | null, closed: Closed, me: Actor): string {
  const named = closed.option ?? closed.action ?? '';
  const parts = [
    (pause === null ? null : labelOf(pause, named)) ?? named,
    closed.text === null ? '' : headOf(closed.text),
  ];
  const what = oneLine(parts.filter(part => part !== '').join(': '));
  const who = speaker(closed.by, me);
  return `${HOW[closed.how]}${what === '' ? '' : ` “${what}”`} by ${who.startsWith('You') ? who.replace('You', 'you') : who}`;
}

/** Words of a pause beside its text: the exact call of a permission, the detail of a recovery. */
export function besides(pause: Pause): string {
  if (pause.kind === 'permission') return `${pause.call.tool} ${JSON.stringify(pause.call.args, null, 2)}`;
  if (pause.kind === 'recovery' && pause.detail !== headOf(pause.text)) return pause.detail;
  return '';
}

/** What goes on in the conversation; `now` in milliseconds. */
export function doing(model: Model, now: number): string {
  const open = waitingPauses(model).length;
  const { turn, queue } = model.now;
  const work = turn?.status === 'running' ? `working ${duration(now - Date.parse(turn.startedAt))}` : '';
  const asks = open === 0 ? '' : open === 1 ? 'waits for your answer' : `waits for ${open} answers`;
  const queued = queue.length === 0 ? '' : `${queue.length} queued`;
  const parts = [work, asks, queued].filter(part => part !== '');
  return parts.length > 0 ? parts.join(', ') : stateOf(model.now);
}

/** What keeps the page from being of use, and whether trying again is up to the person. */
export interface Trouble {
  readonly text: string;
  readonly again: boolean;
}

/** What is said while nobody answers and it is not known why. */
export const SILENT =
  'Connection lost, reconnecting… What you see may be old; what you type stays here. If the service was stopped, any "hearth" command in a terminal starts it again.';
const STOPPED =
  'The service was stopped. Any "hearth" command in a terminal starts it again. What you see may be old; what you type stays here.';
const SIGNED_OUT =
  'This browser is not signed in any more. Run "hearth studio" in a terminal and open the link that it prints, then try again here. What you typed stays here.';

const UNSAVED =
  'Until then nothing can be saved here: what was accepted is kept, and what you type stays here.';

/** What is to be said of the connection, or of a disk that takes no writes; `null` while there is nothing. */
export function troubleOf({
  model,
  reachable,
  signedOut,
}: Pick<Sheet, 'model' | 'reachable' | 'signedOut'>): Trouble | null {
  if (signedOut !== null) return { text: SIGNED_OUT, again: true };
  if (model === null) return reachable ? null : { text: SILENT, again: false };
  const { link, trouble } = model;
  switch (link.is) {
    case 'connecting':
    case 'connected':
      return trouble === null ? null : { text: `${oneLine(trouble.detail)} ${UNSAVED}`, again: false };
    case 'reconnecting':
      return { text: SILENT, again: false };
    case 'stopped':
      return { text: STOPPED, again: true };
    case 'lost':
      if (link.final !== true) return { text: SILENT, again: false };
      return { text: `${oneLine(link.why)} Choose another conversation, or try again.`, again: true };
  }
}

/** Where a message from here works. */
export function placeOf(model: Model, workspace: string | null): string {
  const { scope } = model.now;
  return oneLine(scope.kind === 'workspace' ? scope.path : (workspace ?? ''));
}

/** Which backend answers, and why that one. */
export function answering(model: Model, backend: { name: string; why: string } | null): string {
  const { session } = model.now;
  const name = session?.backend ?? backend?.name ?? '';
  const why = backend !== null && backend.name === name && backend.why !== '' ? `: ${backend.why}` : '';
  return `${name}${why}${session?.degraded === true ? ' (without its old memory)' : ''}`;
}

/** The tab's title: how many conversations wait for a person comes first, since the rest is cut off. */
export function tabTitle(rows: readonly ConversationRow[], title: string | null): string {
  const waiting = rows.filter(row => row.state === 'waiting').length;
  return `${waiting === 0 ? '' : `(${waiting}) `}${title === null ? '' : `${oneLine(title)} · `}Hearth`;
}

/** What to say when another version of Hearth answers than the one that this page came from; `null` while it is the same. */
export function updateOf(served: string, running: string): string | null {
  if (served === running) return null;
  return `Hearth was updated to ${oneLine(running)}: reload this page to use it.`;
}

/** What is said of a message that was not taken, whose words are back in the composer. */
export function unsentWords(problem: HearthProblem): string {
  const kept = 'Your words are back in the composer.';
  if (problem.code !== 'unreachable') return `That was not sent: ${problem.detail} ${kept}`;
  return `That may not have been sent: the service does not answer. ${kept} Sending them again unchanged cannot double them.`;
}
