import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import { Line } from './line.ts';
import { recapLines } from './opening.ts';
import type { ModelApiPorts } from './ports.ts';
import { remembered } from './remembered.ts';
import type { Transcript } from './transcript.ts';
import type { Trees } from './trees.ts';

/** A session that began, and the event that tells how; or why it cannot. */
export type Session =
  | { readonly transcript: Transcript; readonly event: Extract<BackendEvent, { type: 'session' }> }
  | { readonly lost: string };

/** A session whose file has grown beyond this many bytes goes on in a new one. */
const LONGEST = 16 * 1024 * 1024;

/**
 * Opens, resumes, forks or reseeds the turn's session. A lost one is reseeded from the recap, with `degraded` saying
 * so, unless the turn is strict. The file is durable before the event is given, so that a session once told can always
 * be resumed. A session is resumed by whatever provider the turn now has. Rejects with `DiskError`.
 */
export async function begun(
  turn: BackendTurn,
  { ids }: Pick<ModelApiPorts, 'ids'>,
  trees: Trees,
  fingerprint: string,
): Promise<Session> {
  const { session, directory } = turn;
  if (session.mode === 'fresh') {
    const seed = session.recap === undefined ? [] : recapLines(session.recap, false);
    const transcript = await trees.create(directory, ids.session(), seed);
    return { transcript, event: { type: 'session', id: transcript.session, fingerprint, how: 'opened' } };
  }
  const known = await trees.open(directory, session.id);
  if (known !== null && known.bytes > LONGEST)
    return await renewed(known, turn, ids.session(), trees, fingerprint);
  if (known !== null && session.mode === 'resume') {
    return { transcript: known, event: { type: 'session', id: known.session, fingerprint, how: 'resumed' } };
  }
  if (known !== null) {
    const transcript = await known.fork().catch(async (error: unknown) => {
      await known.close();
      throw error;
    });
    return { transcript, event: { type: 'session', id: transcript.session, fingerprint, how: 'forked' } };
  }
  if (session.strict) {
    return {
      lost: `The session "${session.id}" is gone, and this bot does not go on without it; start a new conversation with /new.`,
    };
  }
  const transcript = await trees.create(directory, ids.session(), recapLines(session.recap, true));
  const degraded = 'The earlier session is gone; a new one knows only the latest words.';
  return {
    transcript,
    event: { type: 'session', id: transcript.session, fingerprint, how: 'reseeded', degraded },
  };
}

/** A session that begins with what a request of the old one was made from; all else stays in the old file. */
async function renewed(
  old: Transcript,
  { directory, session }: BackendTurn,
  id: string,
  trees: Trees,
  fingerprint: string,
): Promise<Session> {
  try {
    const kept = unplaced(remembered(old.lines));
    // What is too long even so fits into no model.
    const fits = JSON.stringify(kept).length < LONGEST / 2;
    const lines = fits || session.mode === 'fresh' ? kept : recapLines(session.recap, true);
    const transcript = await trees.create(directory, id, lines);
    const what = fits ? 'what the model still had before it' : 'the latest words only';
    const degraded = `The file of the session has become too long; a new one begins with ${what}.`;
    return { transcript, event: { type: 'session', id, fingerprint, how: 'reseeded', degraded } };
  } finally {
    await old.close();
  }
}

/** Lines without the places that they had, and without the beginnings of sessions. */
function unplaced(lines: readonly Line[]): readonly Line[] {
  return lines.filter(line => line.line !== 'session').map(line => Line.parse(line));
}
