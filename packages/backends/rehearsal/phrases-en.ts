import type { TicketState } from '@hearth/protocol/ticket.ts';
import type { BoardTicket, Commit } from './board-reading.ts';
import type { Act } from './memory.ts';
import type { Reason } from './quick-win.ts';
import type { Aim } from './shortlist.ts';

type Named = Pick<BoardTicket, 'id' | 'title'>;

/** A title on one line, cut. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

/** `a, b and c`. */
export function joined(parts: readonly string[], and: string): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${and} ${parts.at(-1)}`;
}

const states: Readonly<Record<TicketState, string>> = {
  inbox: 'inbox',
  backlog: 'backlog',
  ready: 'ready',
  in_progress: 'in progress',
  awaiting_input: 'awaiting input',
  review: 'review',
  done: 'done',
  blocked: 'blocked',
};

const named = (ticket: Named) => `${ticket.id} “${oneLine(ticket.title)}”`;
const count = (n: number, noun: string, ending = 's') => `${n} ${noun}${n === 1 ? '' : ending}`;

/** English. */
export const en = {
  states,
  named,
  list: (parts: readonly string[]) => joined(parts, 'and'),
  item: (ticket: Named, detail: string) => `${named(ticket)}: ${detail}`,
  row: (ticket: BoardTicket, detail: string) => `${named(ticket)} (${states[ticket.state]}): ${detail}`,
  intro: 'Rehearsal: no model is configured.',
  readingBoard: 'Reading the board.',
  readingHistory: 'Reading the git log.',
  changingBoard: 'Changing the board.',

  notGranted: (tool: string) => `This bot may not use ${tool}, so I cannot do that here.`,
  noTicket: (id: string) => `There is no ticket ${id} on this board.`,
  /** What a tool said, which is English already. */
  toolError: (why: string) => why,
  refused: (why: string) => `The board refused: ${why}`,
  boardUnread: (why: string) => `I cannot read the board: ${why}`,
  damaged: (files: readonly string[]) => `Not readable and left out: ${files.join(', ')}.`,
  emptyBoard:
    'The board is empty. Import a checklist or JSON with `hearth board import FILE`, or say “create a ticket: …”.',
  allDone: 'Every ticket on the board is done.',

  greeting: (open: number, byState: string, done: number) =>
    `The board has ${count(open, 'open ticket')} (${byState})${done === 0 ? '' : ` and ${done} done`}.`,
  recommend: (ticket: Named, reasons: string) => `I would take ${named(ticket)} next: ${reasons}.`,
  nothingFree: 'No open ticket is free to be taken: the others are in progress or blocked.',

  reason: (reason: Reason): string => {
    switch (reason.is) {
      case 'size_label':
        return `it is labelled “${reason.label}”`;
      case 'priority_label':
        return `it is labelled “${reason.label}”`;
      case 'small_word':
        return `it says “${reason.word}”`;
      case 'no_size':
        return 'no size given (a guess)';
      case 'unblocked':
        return 'nothing blocks it';
      case 'ready':
        return 'it is ready';
      case 'in_review':
        return 'it only waits for review';
    }
  },
  shortlist: (aim: Aim, n: number, guesses: number) =>
    aim === 'quick_win'
      ? guesses === n
        ? `No free ticket says that it is small; ${n === 1 ? 'my guess' : `my ${n} guesses`}:`
        : guesses > 0
          ? `${count(n - guesses, 'quick win')}, and ${count(guesses, 'guess', 'es')}:`
          : n === 1
            ? 'One ticket is a quick win:'
            : `The ${n} best quick wins:`
      : n === 1
        ? 'One ticket is free to be taken:'
        : `The ${n} tickets I would take next:`,
  pick: (ticket: Named, reasons: string) => `My pick is ${ticket.id}: ${reasons}.`,
  noQuickWin: 'No open ticket is both small and unblocked.',
  insteadNext: (ticket: Named, reasons: string) => `The nearest thing is ${named(ticket)}: ${reasons}.`,
  noneRead: (read: number, unread: number) =>
    `None of the ${read} likeliest tickets is free, and I did not read ${unread} more.`,
  unread: (n: number) =>
    `I did not read ${count(n, 'more candidate')}, so I cannot speak for ${n === 1 ? 'it' : 'them'}.`,
  someLookDone: (n: number) =>
    n === 1
      ? 'One more looks done already by the git log; ask me which tickets are obsolete.'
      : `${n} more look done already by the git log; ask me which tickets are obsolete.`,

  listHead: (n: number, what: string) => (n === 0 ? `No ticket ${what}.` : `${count(n, 'ticket')} ${what}:`),
  listOpen: (_n: number) => 'open',
  listState: (state: TicketState) => `in ${states[state]}`,
  listLabel: (label: string) => `labelled “${label}”`,
  listUnowned: 'without an owner',
  listOwner: (owner: string) => `of ${owner}`,
  listAbout: (about: string) => `with “${about}” in the title`,
  among: (what: string) => `Only among the tickets ${what}:`,
  cannotFilter: (by: string) => `I cannot narrow a list by “${by}”, so this is all of it.`,
  listMore: (n: number) => `… and ${n} more.`,

  sweepNone: (commits: number) =>
    `I found no obsolete ticket: ${
      commits === 1 ? 'the only commit does not name' : `none of the last ${commits} commits names`
    } an open ticket as done or ${commits === 1 ? 'share' : 'shares'} enough of its telling words.`,
  sweepNoHistory: (why: string) =>
    `I call a ticket obsolete only with a commit as evidence, and I have none: ${why}`,
  sweepNoCommits: 'the git history is empty.',
  sweepHead: (n: number) => (n === 1 ? 'One ticket looks done already:' : `${n} tickets look done already:`),
  sweepOthers: 'None of the tickets I listed last; on the rest of the board:',
  noEvidence: (id: string) => `no commit shows that ${id} is done`,
  standing: (ticket: BoardTicket, detail: string | null) =>
    `${named(ticket)} is ${states[ticket.state]}${detail === null ? '' : `; ${detail.replace(/\.$/, '')}`}.`,
  evidence: (commit: Commit, words: readonly string[], id: string) =>
    `commit ${commit.short} “${oneLine(commit.subject)}” (${commit.date.slice(0, 10)}) ${
      words.length === 0 ? `names ${id}` : `shares ${words.map(word => `“${word}”`).join(', ')}`
    }`,
  evidenceComment: (evidence: string) => `Obsolete: ${evidence}.`,
  sweepOffer: (n: number) =>
    `I close ${n === 1 ? 'it' : 'them'} only when you say so, with the evidence as a comment.`,

  show: (ticket: BoardTicket) =>
    [
      `${named(ticket)}: ${states[ticket.state]}`,
      ticket.labels.length === 0 ? '' : `labels ${ticket.labels.join(', ')}`,
      ticket.owner === null ? '' : `owner ${ticket.owner}`,
      ticket.bot === null ? '' : `bot ${ticket.bot}`,
    ]
      .filter(part => part !== '')
      .join('; '),
  lastComment: (body: string) => `Last comment: ${oneLine(body)}`,

  which: 'Which ticket do you mean? Name it, for example HB-4.',
  whichOf: (tickets: readonly Named[]) =>
    `Several tickets fit: ${joined(tickets.map(named), 'and')}. Which one?`,
  notUnderstood: (part: string) => `I did not understand: “${oneLine(part)}”.`,
  needTitle: 'What should its title be? Say “create a ticket: …”.',
  needState: `To which state? ${Object.values(states).join(', ')}.`,
  needLabel: 'Which label? Say “label HB-4 as bug”.',
  needOwner: 'To whom? I do not know your name; say “assign HB-4 to NAME”.',
  needComment: (id: string) => `What should the comment on ${id} say? Say “comment ${id}: …”.`,
  needStart: 'Which ticket should start? Name it, for example HB-4.',
  needNames: 'Please name the tickets one by one, so that nothing else is touched.',

  did: (act: Act, ticket: Named): string => {
    switch (act.do) {
      case 'create':
        return `Created ${named(ticket)}.`;
      case 'move':
        return `${named(ticket)} is now in ${states[act.to]}.`;
      case 'close':
        return `Closed ${named(ticket)}${act.comment === undefined ? '' : ', with the reason as a comment'}.`;
      case 'label':
        return `${named(ticket)}: ${[
          ...act.add.map(label => `label “${label}” added`),
          ...act.remove.map(label => `label “${label}” removed`),
        ].join(', ')}.`;
      case 'assign':
        return act.owner === ''
          ? `${named(ticket)} has no owner now.`
          : `${named(ticket)} now belongs to ${act.owner}.`;
      case 'bot':
        return act.bot === ''
          ? `${named(ticket)} has no bot now.`
          : `${named(ticket)} goes to the bot ${act.bot}.`;
      case 'comment':
        return `Commented on ${named(ticket)}.`;
      case 'dispatch':
        return `${named(ticket)} is ready${act.bot === undefined ? '' : ` for the bot ${act.bot}`}; I watch it.`;
    }
  },
  already: (act: Act, ticket: Named): string => {
    switch (act.do) {
      case 'create':
        return `${named(ticket)} exists already; I created nothing.`;
      case 'move':
        return `${named(ticket)} was already in ${states[act.to]}.`;
      case 'close':
        return `${named(ticket)} was already closed.`;
      case 'label':
        return `${named(ticket)} already has these labels.`;
      case 'assign':
        return act.owner === ''
          ? `${named(ticket)} already had no owner.`
          : `${named(ticket)} already belonged to ${act.owner}.`;
      case 'bot':
        return act.bot === ''
          ? `${named(ticket)} already had no bot.`
          : `${named(ticket)} already had the bot ${act.bot}.`;
      case 'comment':
        return `${named(ticket)} already has this comment.`;
      case 'dispatch':
        return `${named(ticket)} was already ready; I watch it.`;
    }
  },
  notFrom: (ticket: Named, is: TicketState, from: TicketState) =>
    `${named(ticket)} is ${states[is]}, not ${states[from]}, so I left it alone.`,
  notDispatched: (ticket: Named, state: TicketState) =>
    `${named(ticket)} is ${states[state]}, so I did not start it; move it first.`,
  will: (act: Act, ticket: Named): string => {
    switch (act.do) {
      case 'create':
        return `create “${oneLine(act.title)}”`;
      case 'move':
        return `move ${named(ticket)} to ${states[act.to]}`;
      case 'close':
        return `close ${named(ticket)}${act.comment === undefined ? '' : ` (comment: ${act.comment})`}`;
      case 'label':
        return `${named(ticket)}: ${[...act.add.map(label => `add “${label}”`), ...act.remove.map(label => `remove “${label}”`)].join(', ')}`;
      case 'assign':
        return act.owner === ''
          ? `take the owner off ${named(ticket)}`
          : `assign ${named(ticket)} to ${act.owner}`;
      case 'bot':
        return act.bot === ''
          ? `take the bot off ${named(ticket)}`
          : `give ${named(ticket)} to the bot ${act.bot}`;
      case 'comment':
        return `comment on ${named(ticket)}: ${oneLine(act.body)}`;
      case 'dispatch':
        return `start ${named(ticket)}`;
    }
  },
  askHead: (n: number) => (n === 1 ? 'Shall I do this?' : `Shall I do these ${n} things?`),
  noDeletion: 'Tickets are never deleted; the nearest thing is to close them.',
  only: (what: string) => `Only: ${what}`,
  yesOne: (what: string) => `Yes: ${what}`,
  yesAll: (n: number, ids: string) => `Yes, all ${n}: ${ids}`,
  no: 'No, change nothing',
  bulkRest: (n: number) => `That is as many as I do at once; ${n} more remain.`,
  cannotAsk:
    'I would have to ask first and cannot ask here, so I changed nothing. Name each ticket for itself to do it.',
  leftAlone: 'Nothing was changed.',
  answerLost: 'I no longer know what this answer was about, so nothing was changed. Please say it again.',
  noSuchTickets: 'No open ticket fits that; nothing was changed.',

  standby: 'Fine. I stay here; the board keeps everything.',
  leave: 'Fine, I leave it as it is.',
  end: 'I end this session.',
  kept: 'The board keeps everything.',
  endUnsure: 'The session stays open; I end it only when you say just that: “end the session”.',
  retracted:
    'One part of this takes back another, so nothing was done. What do you mean? Please say only that.',
  alternatives: 'You name alternatives, so nothing was done. Which one do you mean?',
  onlyNow: 'I cannot wait for a time; I can only do it now.',
  unknown: 'This is only a rehearsal, and I did not understand that. I know requests like these:',
  help: 'This is a rehearsal: no model answers. I know requests like these:',
  examples: [
    '“which tickets are quick wins?”',
    '“are any tickets obsolete?”',
    '“show HB-4”',
    '“create a ticket: …”',
    '“move HB-4 to review”',
    '“close HB-4 because …”',
    '“dispatch HB-4”',
  ],
  cut: (read: number) => `That is long: I read only the first ${read} characters; the rest is left out.`,
  tooLong:
    'I carry out nothing of a message that I cannot read whole, since its end may take back what its beginning says: send the order by itself.',
  heard: (text: string) => `This is a rehearsal. I heard: “${text}”`,
  heardNothing: 'This is a rehearsal; no model is configured. Say anything and I repeat it.',
  otherBot: 'This is a rehearsal: no model is configured.',

  documents: {
    task: 'DO what the person asked for',
    follow: 'FOLLOW the confirmed interpretation line by line',
    wishes: 'KEEP to what the person said about the way',
    tell: 'SAY in the result that this was a rehearsal',
    change: 'CHANGE it as the person asked',
    drafted: 'Rehearsal: no model is configured, so your words are written down as they are.',
    smallTalk: 'This is a rehearsal. Say what you want done, and I write it down for you to confirm.',
    announced: 'You said that you would give something for this. Please give it now.',
    given: 'TAKE what was supplied',
    result:
      'This is a rehearsal: no model is configured, so nothing was worked out. This is what was confirmed:',
    stated: 'STATE that this is a rehearsal and that nothing was worked out for',
    noted: 'NOTE that a model is needed for a result',
  },

  chips: {
    shortlist: 'Which tickets are quick wins?',
    next: 'What should I do next?',
    sweep: 'Are any tickets obsolete?',
    list: 'List the open tickets',
    closeObsolete: 'Close the obsolete tickets',
    dispatch: (id: string) => `Dispatch ${id}`,
    show: (id: string) => `Show ${id}`,
  },
};
