import { z } from 'zod';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Boards } from '../boards.ts';
import { blockers, botArgs, id, labels, name, openState, priority, words } from './args.ts';
import { ticketIdOf } from '../ticket-id.ts';
import { answer, boardTool, summary, touched } from './board-tool.ts';

/*
 * The tools that change a ticket. Those that set something to a value may run again after a crash, the second run
 * changes nothing; those that add something may not, it would be there twice.
 */

const setting = { mutates: true, idempotent: true } as const;
const adding = { mutates: true, idempotent: false } as const;

function createIssue(boards: Boards): Tool {
  return boardTool(boards, {
    ...adding,
    name: 'create_issue',
    capability: 'board.create',
    description: 'Adds a ticket to the board and answers with its id. Without a state it goes to the inbox.',
    args: z.strictObject({
      title: z.string().trim().min(1).max(300).describe('One line that says what is wanted.'),
      body: z
        .string()
        .max(64 * 1024)
        .describe('Markdown: context, when it is done, how to verify it.')
        .exactOptional(),
      state: openState.describe('Where it starts.').exactOptional(),
      labels: labels.exactOptional(),
      bot: name.describe('The bot that is to work on it.').exactOptional(),
      bot_args: botArgs.exactOptional(),
      priority: priority.exactOptional(),
      blockers: blockers.exactOptional(),
      owner: name.describe('The person it belongs to.').exactOptional(),
    }),
    title: word => `create "${word('title')}"`,
    run: async (board, { bot_args: args, blockers: named, ...fresh }, author) => {
      const given = {
        ...fresh,
        ...(args === undefined ? {} : { botArgs: args }),
        ...(named === undefined ? {} : { blockers: named.map(ticketIdOf) }),
      };
      const ticket = await board.add(given, author);
      return { content: summary(ticket), ticket: touched(ticket, ticket.history) };
    },
  });
}

function transitionIssue(boards: Boards): Tool {
  return boardTool(boards, {
    ...setting,
    name: 'transition_issue',
    capability: 'board.move',
    description:
      'Moves a ticket to another state. Moving it out of done reopens it; only close_issue takes it there.',
    args: z.strictObject({ id, to: openState.describe('The state to move it to.') }),
    title: word => `move ${word('id')} to ${word('to')}`,
    run: async (board, args, author) =>
      answer(await board.move(args.id, args.to, author), ticket => `it is in ${ticket.state} already`),
  });
}

function closeIssue(boards: Boards): Tool {
  return boardTool(boards, {
    // Comment and close are one write, and closing a closed ticket changes nothing.
    ...setting,
    name: 'close_issue',
    capability: 'board.close',
    description:
      'Closes a ticket (moves it to done). Give the reason as the comment; it is recorded before the close.',
    args: z.strictObject({
      id,
      comment: words.describe('Why it is closed, with the evidence.').exactOptional(),
    }),
    title: word => `close ${word('id')}`,
    run: async (board, args, author) => {
      const lost =
        args.comment === undefined ? '' : '; the comment was not recorded, use comment_issue for it';
      return answer(await board.close(args.id, author, args.comment), () => `it is closed already${lost}`);
    },
  });
}

function assignIssue(boards: Boards): Tool {
  return boardTool(boards, {
    ...setting,
    name: 'assign_issue',
    capability: 'board.assign',
    description: 'Makes a person the owner of a ticket.',
    args: z.strictObject({ id, assignee: name.describe('The owner; empty takes the owner away.') }),
    title: word => `assign ${word('id')} to ${word('assignee') || 'nobody'}`,
    run: async (board, args, author) =>
      answer(
        await board.assign(args.id, args.assignee, author),
        ticket => `its owner is ${ticket.owner ?? 'nobody'} already`,
      ),
  });
}

function setBot(boards: Boards): Tool {
  return boardTool(boards, {
    ...setting,
    name: 'set_bot',
    capability: 'board.assign',
    description: 'Says which bot is to work on a ticket.',
    args: z.strictObject({
      id,
      bot: name.describe("The bot's name; empty takes the bot away."),
      bot_args: botArgs.exactOptional(),
    }),
    title: word => `give ${word('id')} to bot ${word('bot') || 'none'}`,
    run: async (board, args, author) =>
      answer(
        await board.change(
          args.id,
          { bot: args.bot, ...(args.bot_args === undefined ? {} : { botArgs: args.bot_args }) },
          author,
        ),
        ticket => `its bot is ${ticket.bot ?? 'none'} already`,
      ),
  });
}

function setLabels(boards: Boards): Tool {
  return boardTool(boards, {
    ...setting,
    name: 'set_labels',
    capability: 'board.label',
    description:
      'Replaces all labels of a ticket by the given set. Name the labels that are to stay as well.',
    args: z.strictObject({ id, labels: labels.describe('The whole new set; empty takes all labels away.') }),
    title: word => `label ${word('id')}: ${word('labels') || 'none'}`,
    run: async (board, args, author) =>
      answer(
        await board.label(args.id, args.labels, author),
        () => 'it carries exactly these labels already',
      ),
  });
}

function commentIssue(boards: Boards): Tool {
  return boardTool(boards, {
    ...adding,
    name: 'comment_issue',
    capability: 'board.comment',
    description: 'Adds a comment to a ticket, open or closed. Comments are kept for ever.',
    args: z.strictObject({ id, body: words.describe('The comment, in Markdown.') }),
    title: word => `comment on ${word('id')}`,
    run: async (board, args, author) =>
      answer(await board.comment(args.id, args.body, author), () => 'nothing was added'),
  });
}

/** The tools that change a board; a node has them only by the capability that each names. */
export function changingTools(boards: Boards): Tool[] {
  return [createIssue, transitionIssue, closeIssue, assignIssue, setBot, setLabels, commentIssue].map(make =>
    make(boards),
  );
}
