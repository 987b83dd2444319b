import { z } from 'zod';
import type { Tool, ToolResult } from '@hearth/engine/tool.ts';
import type { Json, JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import type { Ticket, TicketChange } from '@hearth/protocol/ticket.ts';
import type { Board, TicketOutcome } from '../board.ts';
import { BoardError } from '../board-error.ts';
import type { Boards } from '../boards.ts';

/*
 * What the ten board tools have in common: arguments are checked here, and whatever the model can mend (arguments, ids,
 * states) or should tell its person (a damaged file) is an `error` text.
 */

/** One board tool, described. `run` gets arguments that fit `args`. */
export interface BoardToolSpec<Args extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly capability: string;
  readonly mutates: boolean;
  readonly idempotent: boolean;
  readonly args: Args;
  /** From whatever the model sent: `word` gives an argument as text, empty when there is none. */
  title(word: (name: string) => string): string;
  run(board: Board, args: z.output<Args>, author: string): Promise<ToolResult>;
}

/** Characters of a body that a list shows. */
const BODY_SHOWN = 240;

/** The words of JSON Schema that every backend understands; zod writes more. */
const portable = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'description',
]);

function inputOf(args: z.ZodObject): JsonSchema {
  const schema = z.toJSONSchema(args, {
    override: ({ jsonSchema }) => {
      for (const word of Object.keys(jsonSchema)) {
        if (!portable.has(word)) Reflect.deleteProperty(jsonSchema, word);
      }
    },
  });
  const { $schema: _, ...rest } = z.record(z.string(), z.json()).parse(schema);
  return rest;
}

function complaint(name: string, args: z.ZodObject, error: z.ZodError): string {
  const known = Object.keys(args.shape);
  const takes = known.length === 0 ? 'it takes no arguments' : `its arguments are ${known.join(', ')}`;
  const faults = error.issues.map(issue =>
    issue.code === 'unrecognized_keys'
      ? `"${issue.keys.join('", "')}" is not an argument (${takes})`
      : `${issue.path.join('.') || 'arguments'}: ${issue.message}`,
  );
  return `${name} did nothing: ${faults.join('; ')}`.replace(/(?<![.?])$/, '.');
}

function word(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.filter(part => typeof part === 'string').join(', ') : '';
}

/** Makes the tool. The board is that of the turn's workspace, opened at the call. */
export function boardTool<Args extends z.ZodObject>(boards: Boards, spec: BoardToolSpec<Args>): Tool {
  const { name, description, capability, mutates, idempotent } = spec;
  let input: JsonSchema | null = null;
  return {
    name,
    description,
    capability,
    mutates,
    idempotent,
    // Made for the first turn that is offered the tool: a service starts more often than that.
    get input() {
      return (input ??= inputOf(spec.args));
    },
    title: args =>
      spec
        .title(key => word(args, key))
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, 120),
    run: async (args, context) => {
      const parsed = spec.args.safeParse(args);
      if (!parsed.success) return { content: null, error: complaint(name, spec.args, parsed.error) };
      context.signal.throwIfAborted();
      try {
        return await spec.run(
          await boards.open(context.board ?? context.workspace),
          parsed.data,
          context.author,
        );
      } catch (error) {
        if (error instanceof BoardError) return { content: null, error: error.message };
        throw error;
      }
    },
  };
}

/** A ticket in a list: no body, no history. */
export function summary(ticket: Ticket): JsonObject {
  const { id, title, state, labels, bot, owner, priority, blockers, updatedAt } = ticket;
  const ranked = priority === undefined ? {} : { priority };
  const told = {
    id,
    title,
    state,
    labels,
    bot,
    owner,
    ...ranked,
    ...(blockers === undefined ? {} : { blockers }),
    comments: ticket.comments.length,
    updatedAt,
  };
  return ticket.body === '' ? told : { ...told, body: beginning(ticket.body) };
}

/** Enough of a body to judge a ticket's size by, in a list of many. */
function beginning(body: string): string {
  const letters = Array.from(body);
  return letters.length <= BODY_SHOWN ? body : `${letters.slice(0, BODY_SHOWN).join('').trimEnd()} …`;
}

/** Names the ticket and its last change to whoever shows the call. */
export function touched(ticket: Ticket, changes: readonly TicketChange[]): NonNullable<ToolResult['ticket']> {
  const { id, title, state } = ticket;
  return { id, title, state, change: changes.at(-1)?.what ?? 'edited' };
}

/** The answer to a change: the ticket as it is now, or `unchanged` and why. */
export function answer(outcome: TicketOutcome, unchanged: (ticket: Ticket) => string): ToolResult {
  const { ticket } = outcome;
  if (!outcome.changed) return { content: { ...summary(ticket), unchanged: unchanged(ticket) } };
  return { content: summary(ticket), ticket: touched(ticket, outcome.changes) };
}

/** Any value of the board's as plain JSON. */
export function plain(value: unknown): Json {
  return z.json().parse(value);
}
