import { sanitise, sanitiseLine } from '@hearth/client/sanitise.ts';

/* Words as the page shows them. */

/** The text without anything but words, line breaks and spaces. */
export const cleaned = sanitise;

/** The text on one line. */
export const oneLine = sanitiseLine;

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
