import { sanitise, sanitiseLine } from '@hearth/client/sanitise.ts';

/* Words as they are drawn in cells. */

/** The text without anything but words, line breaks and spaces. */
export function cleaned(text: string): string {
  return sanitise(text).replace(/\t/g, '    ');
}

/** The text on one line. */
export function oneLine(text: string): string {
  return sanitiseLine(text);
}

/** Bytes for a person. */
export function bytes(count: number): string {
  return count < 1024 ? `${count} bytes` : `${Math.round(count / 1024)} KiB`;
}
