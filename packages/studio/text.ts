/*
 * Words from a model, a ticket or a repository are only ever words: marks that hide or reorder what is read are taken out.
 */

/** Control characters but for line feed and tab, and the marks of direction and width that no script needs here. */
const MARKS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The text without anything but words, line breaks and spaces. */
export function cleaned(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(MARKS, '');
}

/** The text on one line. */
export function oneLine(text: string): string {
  return cleaned(text).replace(/\s+/g, ' ').trim();
}

/** Markdown as it would be read aloud: words without their signs. */
export function spoken(markdown: string): string {
  const words = cleaned(markdown)
    .replace(/^```.*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\|)\s*/gm, '')
    .replace(/[*_`~|]+/g, ' ');
  return words.replace(/\s+/g, ' ').trim();
}

/** Bytes for a person. */
export function bytes(count: number): string {
  return count < 1024 ? `${count} bytes` : `${Math.round(count / 1024)} KiB`;
}

/** A span of time for a person. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
