import { z } from 'zod';
import { NewTicket } from '@hearth/protocol/ticket.ts';
import { BoardError } from './board-error.ts';
import { checklist } from './checklist.ts';

/*
 * Turns a text into new tickets: all of them, or an `invalid_import` that names the file, the place and the remedy.
 * Pure; what is already on the board is not its business.
 */

/** A field that no ticket has is refused rather than lost. */
const entry = z.strictObject(NewTicket.shape);

function invalid(name: string, what: string): BoardError {
  return new BoardError('invalid_import', `${name}: ${what}`);
}

/** The first thing wrong with an entry, as `field: what`. */
function firstFault(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'it is not a ticket.';
  if (issue.code === 'unrecognized_keys') {
    return `"${issue.keys.join('", "')}" is not a field of a new ticket; its fields are ${Object.keys(NewTicket.shape).join(', ')}.`;
  }
  const field = issue.path.join('.');
  return field === '' ? `${issue.message}.` : `${field}: ${issue.message}.`;
}

function fromChecklist(source: string, name: string): readonly NewTicket[] {
  const items = checklist(source);
  if (items.length === 0) {
    const lines = source.split(/\r\n|\r|\n/);
    const first = lines.findIndex(line => line.trim() !== '');
    const seen =
      first < 0 ? 'it is empty' : `line ${first + 1} is "${(lines[first] ?? '').trim().slice(0, 60)}"`;
    throw invalid(
      name,
      `nothing to import: ${seen}, and no line is an item; write one ticket a line, as "- [ ] title".`,
    );
  }
  return items.map(({ line, ...fields }) => {
    const parsed = entry.safeParse(fields);
    if (parsed.success) return parsed.data;
    if (fields.title === '')
      throw invalid(name, `line ${line}: the item has no title; write one after the box.`);
    throw invalid(name, `line ${line}: ${firstFault(parsed.error)}`);
  });
}

/** What `JSON.parse` objects to, and where when it says so. */
function fault(source: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined)
    return /^Unexpected (?:token '.+?'(?=,)|end)/su.exec(message)?.[0] ?? 'it cannot be read';
  const before = source.slice(0, Number(position)).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function fromJson(source: string, name: string): readonly NewTicket[] {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw invalid(
      name,
      `it is not JSON (${fault(source, error)}); an import is a JSON array of tickets or a Markdown checklist.`,
    );
  }
  if (!Array.isArray(value))
    throw invalid(name, 'an import in JSON is one array of tickets, as [{"title": "…"}].');
  if (value.length === 0) throw invalid(name, 'nothing to import: the array is empty.');
  return value.map((element: unknown, index) => {
    const parsed = entry.safeParse(element);
    if (parsed.success) return parsed.data;
    throw invalid(name, `entry ${index} (counted from 0): ${firstFault(parsed.error)}`);
  });
}

/**
 * Reads a Markdown checklist or a JSON array of new tickets; `name` is the file's, for its ending and for errors.
 * Without a telling ending, a text that is `[]` or begins with `[{` or `{` is JSON. Throws `invalid_import`.
 */
export function parseImport(source: string, name: string): readonly NewTicket[] {
  const text = source.replace(/^\uFEFF/, '');
  const isJson =
    /\.json$/i.test(name) ||
    (!/\.(?:md|markdown|txt)$/i.test(name) && /^\s*(?:\{|\[\s*\{|\[\s*\]\s*$)/.test(text));
  return isJson ? fromJson(text, name) : fromChecklist(text, name);
}
