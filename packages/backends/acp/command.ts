import { z } from 'zod';

/** The words of a command: separated by spaces, or a JSON list where a word has spaces in it. `null` when there is none. */
export function commandOf(text: string | undefined): readonly [string, ...string[]] | null {
  const trimmed = text?.trim() ?? '';
  const listed = trimmed.startsWith('[') ? z.array(z.string()).safeParse(parsed(trimmed)).data : undefined;
  const [program, ...rest] = listed ?? trimmed.split(/\s+/);
  return program === undefined || program === '' ? null : [program, ...rest];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
