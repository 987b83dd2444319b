import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import type { RehearsalPorts } from './ports.ts';
import { heard } from './clauses.ts';
import { languageOf } from './language.ts';
import { blankMemory, type Memory, recalled, remember } from './memory.ts';
import { idsIn } from './targets.ts';

/** A session that began, and the event that tells how; or why it cannot. */
export type Session =
  | { readonly memory: Memory; readonly event: Extract<BackendEvent, { type: 'session' }> }
  | { readonly lost: string };

/**
 * Opens, resumes, forks or reseeds the turn's session. A lost one is reseeded from the recap (the language and the
 * tickets last spoken of), with `degraded` saying so, unless the turn is strict. The file is written before the event is
 * given, so that a session once told can always be resumed. Rejects with `DiskError`.
 */
export async function begun(
  turn: BackendTurn,
  { disk, ids }: RehearsalPorts,
  fingerprint: string,
): Promise<Session> {
  const { session, directory } = turn;
  const known = session.mode === 'fresh' ? null : await recalled(disk, directory, session.id);
  if (session.mode === 'resume' && known !== null) {
    return { memory: known, event: { type: 'session', id: known.session, fingerprint, how: 'resumed' } };
  }
  if (session.mode !== 'fresh' && known === null && session.strict) {
    return {
      lost: `The session "${session.id}" is gone, and this bot does not go on without it; start a new conversation with /new.`,
    };
  }
  const id = ids.session();
  const memory = known === null ? fromRecap(id, turn) : { ...known, session: id, pending: null };
  await remember(disk, directory, memory);
  const how = session.mode === 'fresh' ? 'opened' : known === null ? 'reseeded' : 'forked';
  const degraded =
    how === 'reseeded'
      ? { degraded: 'The earlier session is gone; a new one knows only the latest words.' }
      : {};
  return { memory, event: { type: 'session', id, fingerprint, how, ...degraded } };
}

function fromRecap(id: string, turn: BackendTurn): Memory {
  const turns = turn.session.recap?.turns ?? [];
  const person = turns.findLast(one => one.who === 'person' && languageOf(one.text) !== null);
  const listed = idsIn(heard(turns.findLast(one => one.who === 'bot')?.text ?? '').plain);
  return {
    ...blankMemory(id),
    language: person === undefined ? null : languageOf(person.text),
    listed,
    pick: listed[0] ?? null,
    focus: listed[0] ?? null,
  };
}
