import { type Component, truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { stateOf } from '@hearth/client/now.ts';
import { ticketLine } from '@hearth/client/tickets.ts';
import type { Model } from '@hearth/client/view.ts';
import { waitingPauses } from '@hearth/client/view.ts';
import { oneLine } from './text.ts';
import type { Theme } from './theme.ts';

/*
 * The last rows of the screen: what goes on, the connection if it is broken, who answers, and where the work happens.
 * The parts never run together; what does not fit a row goes to the next, and a part wider than the screen is wrapped.
 */

/** Everything that the rows tell. */
export interface Standing {
  readonly model: Model | null;
  /** Which backend answers, and why that one. */
  readonly backend: { readonly name: string; readonly why: string } | null;
  readonly workspace: string;
  /** The person's home, shown as `~`. */
  readonly home: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What a key would do next; takes the first place. */
  readonly hint: string | null;
  /** No conversation is open yet, or any more. */
  readonly link: string | null;
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function doing(model: Model, now: number): string {
  const open = waitingPauses(model).length;
  const turn = model.now.turn;
  const since = turn === null ? '' : ` ${duration(now - Date.parse(turn.startedAt))}`;
  const work = turn?.status === 'running' ? `working${since}` : '';
  const asks = open === 0 ? '' : open === 1 ? 'waits for your answer' : `waits for ${open} answers`;
  const queued = model.now.queue.length === 0 ? '' : `${model.now.queue.length} queued`;
  const parts = [work, asks, queued].filter(part => part !== '');
  return parts.length === 0 ? (stateOf(model.now) === 'idle' ? 'idle' : 'working') : parts.join(', ');
}

/** How many watched tickets the status names. */
const TICKETS = 4;

function watching(model: Model): string | null {
  const line = ticketLine(model.now.watched, TICKETS);
  return line === '' ? null : `watching ${line}`;
}

/** What to say of a connection that is none. */
export const LOST = 'connection lost, reconnecting…';

function connection({ link, trouble }: Model): string | null {
  if (trouble !== null) return trouble.detail;
  switch (link.is) {
    case 'lost':
      return link.final === true ? 'not connected any more' : LOST;
    case 'reconnecting':
      return LOST;
    case 'stopped':
      return link.why;
    case 'connecting':
    case 'connected':
      return null;
  }
}

function answering({ model, backend }: Standing): string | null {
  const session = model?.now.session ?? null;
  const name = session?.backend ?? backend?.name ?? null;
  if (name === null) return null;
  const why = backend !== null && backend.name === name && backend.why !== '' ? `: ${backend.why}` : '';
  return `${name}${why}${session?.degraded === true ? ' (without its old memory)' : ''}`;
}

function place(workspace: string, home: string | null): string {
  return home !== null && home !== '' && (workspace === home || workspace.startsWith(`${home}/`))
    ? `~${workspace.slice(home.length)}`
    : workspace;
}

/** The parts, most important first. */
export function statusParts(standing: Standing): readonly { text: string; urgent: boolean }[] {
  const { model, hint, link } = standing;
  const where = model?.now.scope.kind === 'workspace' ? model.now.scope.path : standing.workspace;
  const parts: [string | null, boolean][] = [
    [hint, true],
    [link ?? (model === null ? null : connection(model)), true],
    [model === null ? null : doing(model, standing.now), false],
    [model === null ? null : watching(model), false],
    [model?.now.title ?? null, false],
    [answering(standing), false],
    [place(where, standing.home), false],
  ];
  return parts.flatMap(([text, urgent]) =>
    text === null || text === '' ? [] : [{ text: oneLine(text), urgent }],
  );
}

/** Rows that one part may take, and one that says what is wrong: what to do about that comes last, often after a long path. */
const PART_ROWS = 2;
const URGENT_ROWS = 5;

/** The parts as rows that fit. */
export function statusLines(standing: Standing, width: number, theme: Theme): readonly string[] {
  const rows: string[] = [];
  for (const { text, urgent } of statusParts(standing)) {
    const style = urgent ? theme.warning : theme.faint;
    const last = rows.at(-1);
    const joined = last === undefined ? null : `${last}${theme.faint(' · ')}${style(text)}`;
    if (joined !== null && visibleWidth(joined) <= width) {
      rows[rows.length - 1] = joined;
      continue;
    }
    const most = urgent ? URGENT_ROWS : PART_ROWS;
    for (const row of wrapTextWithAnsi(text, Math.max(1, width)).slice(0, most)) {
      rows.push(style(truncateToWidth(row, width, '…')));
    }
  }
  return rows;
}

/** Draws what `standing` gives at that moment; it keeps nothing. */
export class StatusLine implements Component {
  readonly #theme: Theme;
  readonly #standing: () => Standing;

  constructor(theme: Theme, standing: () => Standing) {
    this.#theme = theme;
    this.#standing = standing;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    return statusLines(this.#standing(), width, this.#theme);
  }
}
