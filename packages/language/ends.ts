/*
 * What a text begins or ends with. A pattern such as `\n+$` takes time by the square of a run in the middle, and one such
 * as `^#+` may need more stack than there is for a run of millions.
 */

/** A text without the character that it begins with, however often. */
export function withoutLeading(text: string, character: string): string {
  let from = 0;
  while (text[from] === character) from += 1;
  return text.slice(from);
}

/** A text without the character that it ends with, however often. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
