import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import { recapLines } from './opening.ts';
import type { ModelApiPorts } from './ports.ts';
import { Transcript } from './transcript.ts';

/** A session that began, and the event that tells how; or why it cannot. */
export type Session =
  | { readonly transcript: Transcript; readonly event: Extract<BackendEvent, { type: 'session' }> }
  | { readonly lost: string };

/**
 * Opens, resumes, forks or reseeds the turn's session. A lost one is reseeded from the recap, with `degraded` saying
 * so, unless the turn is strict. The file is durable before the event is given, so that a session once told can always
 * be resumed. A session is resumed by whatever provider the turn now has. Rejects with `DiskError`.
 */
export async function begun(
  turn: BackendTurn,
  { disk, ids }: ModelApiPorts,
  fingerprint: string,
): Promise<Session> {
  const { session, directory } = turn;
  if (session.mode === 'fresh') {
    const seed = session.recap === undefined ? [] : recapLines(session.recap, false);
    const transcript = await Transcript.create(disk, directory, ids.session(), seed);
    return { transcript, event: { type: 'session', id: transcript.session, fingerprint, how: 'opened' } };
  }
  const known = await Transcript.open(disk, directory, session.id);
  if (known !== null && session.mode === 'resume') {
    return { transcript: known, event: { type: 'session', id: known.session, fingerprint, how: 'resumed' } };
  }
  if (known !== null) {
    const transcript = await Transcript.create(disk, directory, ids.session(), known.lines.slice(1));
    return { transcript, event: { type: 'session', id: transcript.session, fingerprint, how: 'forked' } };
  }
  if (session.strict) {
    return {
      lost: `The session "${session.id}" is gone, and this bot does not go on without it; start a new conversation with /new.`,
    };
  }
  const transcript = await Transcript.create(disk, directory, ids.session(), recapLines(session.recap, true));
  const degraded = 'The earlier session is gone; a new one knows only the latest words.';
  return {
    transcript,
    event: { type: 'session', id: transcript.session, fingerprint, how: 'reseeded', degraded },
  };
}
