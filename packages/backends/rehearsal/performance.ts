import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { BoardTicket } from './board-reading.ts';
import { ticketReading } from './board-reading.ts';
import type { Act } from './memory.ts';
import type { Scene, Told } from './scene.ts';
import { fold } from './words.ts';

/*
 * Makes planned changes, one after the other. Each looks at its ticket first and does only what is not done yet, so a
 * turn that is done again after a crash changes nothing twice and says that it was done already.
 */

/** What came of some changes: a line for each, and the tickets that were started. */
export interface Performed {
  readonly lines: readonly string[];
  readonly dispatched: readonly string[];
}

/** `already`: nothing had to be done. A string says why nothing was done. */
type Result = 'did' | 'already' | { readonly why: string };
type TicketAct = Exclude<Act, { do: 'create' }>;

/** Makes the changes. A refusal of one does not keep the others from being made. */
export async function* perform(scene: Scene, acts: readonly Act[]): AsyncGenerator<BackendEvent, Performed> {
  const lines: string[] = [];
  const dispatched: string[] = [];
  if (acts.length > 0) yield { type: 'narration', text: scene.words.changingBoard };
  for (const act of acts) {
    if (act.do === 'create') {
      lines.push(yield* created(scene, act));
      continue;
    }
    const looked = await scene.look(act.ticket);
    if ('why' in looked) {
      lines.push(scene.words.refused(looked.why));
      continue;
    }
    const ticket = looked.ok;
    const result = await changed(scene, act, ticket);
    if (typeof result === 'object') lines.push(result.why);
    else lines.push(result === 'did' ? scene.words.did(act, ticket) : scene.words.already(act, ticket));
    if (act.do === 'dispatch' && typeof result !== 'object') dispatched.push(ticket.id);
    scene.memory.focus = ticket.id;
    scene.changed();
  }
  return { lines, dispatched };
}

async function* created(scene: Scene, act: Act & { do: 'create' }): AsyncGenerator<BackendEvent, string> {
  const board = yield* scene.board();
  const same =
    'ok' in board
      ? board.ok.tickets.find(one => one.state !== 'done' && alike(one.title, act.title))
      : undefined;
  if (same !== undefined) {
    scene.memory.focus = same.id;
    return scene.words.already(act, same);
  }
  const { title, body, labels } = act;
  const told = await scene.call('create_issue', {
    title,
    state: 'backlog',
    ...(body === undefined ? {} : { body }),
    ...(labels === undefined ? {} : { labels }),
  });
  if ('why' in told) return refusal(scene, 'create_issue', told.why);
  scene.changed();
  const ticket = ticketReading(told.ok);
  scene.memory.focus = ticket?.id ?? null;
  return scene.words.did(act, ticket ?? { id: 'HB-?', title });
}

function alike(one: string, other: string): boolean {
  return fold(one.normalize('NFC')).trim() === fold(other.normalize('NFC')).trim();
}

function refusal(scene: Scene, tool: string, why: string): string {
  return scene.granted(tool) ? scene.words.refused(why) : why;
}

/** Calls a tool and turns its answer into a result. */
async function made(scene: Scene, tool: string, args: Parameters<Scene['call']>[1]): Promise<Result> {
  const told: Told<unknown> = await scene.call(tool, args);
  return 'why' in told ? { why: refusal(scene, tool, told.why) } : 'did';
}

const performers: {
  [Kind in TicketAct['do']]: (
    scene: Scene,
    act: TicketAct & { do: Kind },
    ticket: BoardTicket,
  ) => Promise<Result>;
} = {
  move: async (scene, act, { id, state }) =>
    state === act.to ? 'already' : made(scene, 'transition_issue', { id, to: act.to }),
  assign: async (scene, act, { id, owner }) =>
    (owner ?? '') === act.owner ? 'already' : made(scene, 'assign_issue', { id, assignee: act.owner }),
  bot: async (scene, act, { id, bot }) =>
    (bot ?? '') === act.bot ? 'already' : made(scene, 'set_bot', { id, bot: act.bot }),
  label: async (scene, act, ticket) => {
    const kept = ticket.labels.filter(label => !act.remove.includes(label));
    const labels = [...new Set([...kept, ...act.add])];
    const same =
      labels.length === ticket.labels.length && labels.every(label => ticket.labels.includes(label));
    return same ? 'already' : made(scene, 'set_labels', { id: ticket.id, labels });
  },
  comment: async (scene, act, ticket) =>
    ticket.comments.includes(act.body)
      ? 'already'
      : made(scene, 'comment_issue', { id: ticket.id, body: act.body }),
  close: async (scene, act, ticket) => {
    if (ticket.state === 'done') return 'already';
    if (!scene.granted('close_issue')) return made(scene, 'close_issue', {});
    const unsaid = act.comment !== undefined && !ticket.comments.includes(act.comment) ? act.comment : null;
    if (unsaid !== null && scene.granted('comment_issue')) {
      const told = await made(scene, 'comment_issue', { id: ticket.id, body: unsaid });
      if (told !== 'did') return told;
    }
    const within = unsaid !== null && !scene.granted('comment_issue');
    return made(scene, 'close_issue', { id: ticket.id, ...(within ? { comment: unsaid } : {}) });
  },
  dispatch: async (scene, act, ticket) => {
    const { id, state } = ticket;
    if (['done', 'blocked', 'in_progress', 'awaiting_input', 'review'].includes(state))
      return { why: scene.words.notDispatched(ticket, state) };
    let result: Result = 'already';
    if (act.bot !== undefined && ticket.bot !== act.bot) {
      result = await made(scene, 'set_bot', { id, bot: act.bot });
      if (result !== 'did') return result;
    }
    return state === 'ready' ? result : made(scene, 'transition_issue', { id, to: 'ready' });
  },
};

async function changed(scene: Scene, act: TicketAct, ticket: BoardTicket): Promise<Result> {
  switch (act.do) {
    case 'move':
      return await performers.move(scene, act, ticket);
    case 'assign':
      return await performers.assign(scene, act, ticket);
    case 'bot':
      return await performers.bot(scene, act, ticket);
    case 'label':
      return await performers.label(scene, act, ticket);
    case 'comment':
      return await performers.comment(scene, act, ticket);
    case 'close':
      return await performers.close(scene, act, ticket);
    case 'dispatch':
      return await performers.dispatch(scene, act, ticket);
  }
}
