import type { EntryOf } from '../entry.ts';
import type { Draft } from './draft.ts';
import { SERVICE } from './draft.ts';

/** A part of the journal was lost: a notice says so, and nothing queued goes on until a person has seen it. */
export function damaged(draft: Draft, entry: EntryOf<'damaged'>): void {
  draft.notice('damaged', 'error', entry.detail);
  const { run } = draft;
  if (
    run === null ||
    draft.machine.pauses.some(pause => pause.kind === 'recovery' && pause.cause === 'damaged')
  )
    return;
  draft.openPause({
    id: draft.next('p'),
    run: run.id,
    turn: draft.machine.turn?.id ?? null,
    node: SERVICE.name,
    branch: null,
    openedAt: draft.at,
    kind: 'recovery',
    text: draft.text(entry.detail),
    cause: 'damaged',
    code: 'damaged',
    detail: entry.detail.slice(0, 2000),
    choices: [{ id: 'go_on', label: 'Go on', detail: 'Continue from what could be read.' }],
    unseen: [],
  });
}
