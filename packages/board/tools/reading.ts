import { z } from 'zod';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Boards } from '../boards.ts';
import { name, id, state } from './args.ts';
import { boardTool, plain, summary } from './board-tool.ts';

/*
 * The tools that only look: `list_issues`, `get_issue`, `list_labels`. All under `board.read`.
 */

/** How many tickets one list shows; more would crowd out what the model is meant to think about. */
const shownAtMost = 100;

const looking = { capability: 'board.read', mutates: false, idempotent: true } as const;

function listIssues(boards: Boards): Tool {
  return boardTool(boards, {
    ...looking,
    name: 'list_issues',
    description:
      'Lists the tickets of the board with the beginning of their bodies, in order of state (inbox first, done last). Filters may be combined.',
    args: z.strictObject({
      state: state.describe('Only tickets in this state.').exactOptional(),
      label: z.string().describe('Only tickets that carry this label.').exactOptional(),
      assignee: name.describe('Only tickets of this owner.').exactOptional(),
    }),
    title: word =>
      `list tickets ${[word('state'), word('label'), word('assignee')].filter(part => part !== '').join(', ')}`,
    run: async (board, args) => {
      const { assignee, ...filter } = args;
      const { tickets, damaged } = await board.list(
        assignee === undefined ? filter : { ...filter, owner: assignee },
      );
      const left = tickets.length - shownAtMost;
      return {
        content: {
          total: tickets.length,
          tickets: tickets.slice(0, shownAtMost).map(summary),
          ...(left > 0 ? { notShown: `${left} more; narrow the list by state, label or assignee` } : {}),
          ...(damaged.length > 0 ? { damaged: plain(damaged) } : {}),
        },
      };
    },
  });
}

function getIssue(boards: Boards): Tool {
  return boardTool(boards, {
    ...looking,
    name: 'get_issue',
    description: 'Reads one ticket whole: body, comments and history.',
    args: z.strictObject({ id }),
    title: word => `read ${word('id')}`,
    run: async (board, args) => ({ content: plain(await board.get(args.id)) }),
  });
}

function listLabels(boards: Boards): Tool {
  return boardTool(boards, {
    ...looking,
    name: 'list_labels',
    description: 'Lists the labels in use, each with the number of open and of all tickets that carry it.',
    args: z.strictObject({}),
    title: () => 'list labels',
    run: async board => ({ content: plain(await board.labels()) }),
  });
}

/** The tools that only look at a board. */
export function readingTools(boards: Boards): Tool[] {
  return [listIssues(boards), getIssue(boards), listLabels(boards)];
}
