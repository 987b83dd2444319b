import type { FileSyntax } from '../parse/file.ts';

/** Whether two sources say the same: their syntax is equal but for where things stand. */
export function sameMeaning(one: FileSyntax, other: FileSyntax): boolean {
  return meaningOf(one) === meaningOf(other);
}

/** The syntax as text, without positions. */
export function meaningOf(file: FileSyntax): string {
  return JSON.stringify(file, (_key, value: unknown) => (isPosition(value) ? undefined : value));
}

function isPosition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { line, column, ...rest } = value as Readonly<Record<string, unknown>>;
  return typeof line === 'number' && typeof column === 'number' && Object.keys(rest).length === 0;
}
