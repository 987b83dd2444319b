/** What a person is told of a conversation that was mended: what was lost, and nothing that was not. Pure. */
import type { MendedNote } from './ports.ts';

type Told = Omit<MendedNote, 'at'>;

/** Of a record that was made again. `known`: something still told what it said. */
export function recordLost(known: boolean): Told {
  const what = known
    ? 'title, bot and scope are as they were told last'
    : 'nothing tells its title, its bot and its scope any more, so they are the standard ones';
  return {
    code: 'record_rebuilt',
    severity: 'warning',
    text: `The record of this conversation (conversation.json) was damaged and has been made again: ${what}. A preset that was chosen for it is forgotten.`,
  };
}

/** Of a state that was lost, by itself or because the plan of its run is. */
export function stateLost(
  what: 'state' | 'plan',
  unfinished: readonly string[],
  receiptsLost: boolean,
): Told {
  const cause =
    what === 'state'
      ? 'The state of this conversation (snapshot.json) was damaged, so it began anew.'
      : 'The plan of this conversation’s run was damaged, and its bot gives another one by now, so it began anew.';
  const kept = receiptsLost
    ? 'What was said is in the history; its receipts were no file, so a command that is sent again is taken for a new one.'
    : 'What was said is in the history, and no command that was accepted is carried out a second time.';
  const lost =
    'Forgotten are where its run stood, the session of its bot, permissions that were given for good, watched tickets, and what it had used of its budget.';
  const open =
    unfinished.length === 0
      ? ''
      : ` Not finished: ${unfinished.join(', ')}; say it again if it still matters.`;
  return { code: 'state_lost', severity: 'error', text: `${cause} ${kept} ${lost}${open}` };
}

/** Of one that comes back from quarantine. */
export const BROUGHT_BACK: Told = {
  code: 'brought_back',
  severity: 'warning',
  text: 'This conversation had been set aside in quarantine and was brought back; look at what was said last before you go on.',
};
