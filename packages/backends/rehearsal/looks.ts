import type { BackendEvent } from '@hearth/engine/backend.ts';
import { clauses, heard } from './clauses.ts';
import type { Outcome } from './outcome.ts';
import { show } from './questions/show.ts';
import { READ } from './reading.ts';
import type { Scene } from './scene.ts';

/*
 * "Show HB-1" beside something else: in one sentence with a command, or in one message with another that came while the
 * turn before was at work. It changes nothing, so it is answered whatever becomes of the rest.
 */

const named = String.raw`(?:(?:the|le) )?(?:(?:ticket|number|numero) )?(?:hb ?|# )?\d{1,9}`;
const look = new RegExp(
  String.raw`^(?:(?:please|first|now|then|and|also|can you|could you|d abord|puis|et|aussi|peux tu|stp) ){0,4}(?:show|describe|montre[rz]?|affiche[rz]?|decris) (?:(?:me|us|moi|nous) )?${named}(?: (?:and|et|,) ${named}){0,9} (?:(?:and|et|then|puis|please|[.!?,;]) ){0,4}$`,
);

/** Whether words ask for nothing but to see tickets, which they name by their ids. */
export function isLook(text: string): boolean {
  return look.test(`${heard(text).plain} `);
}

/** Answers words that ask to see tickets; `null` for any other words. */
export async function* looked(scene: Scene, text: string): AsyncGenerator<BackendEvent, Outcome | null> {
  return isLook(text) ? yield* show(scene, heard(text)) : null;
}

/**
 * The messages of which a text was made, where one of them asks to see a ticket; else the text alone. What follows a title
 * or a comment belongs to it and is never cut off.
 */
export function apart(text: string): readonly string[] {
  const parts = text.split(/\n\s*\n/).filter(part => part.trim() !== '');
  if (text.length > READ || parts.length < 2 || !parts.some(isLook)) return [text];
  const writes = parts.findIndex(part =>
    clauses(heard(part)).some(({ command }) => command === 'create' || command === 'comment'),
  );
  const free = writes < 0 ? parts.length : writes;
  const rest = parts.slice(free).join('\n\n');
  return [...parts.slice(0, free), rest].filter(part => part !== '');
}
