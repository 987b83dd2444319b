/*
 * Words from a model, a ticket or a repository are only ever words: whatever could move the cursor, change the screen's
 * state, write to the clipboard or reorder what is read is taken out before anything is drawn.
 */

const ESC = '\u001b';
const BEL = '\u0007';
/** The eight-bit form of an introducer, which some terminals obey too. */
const C1 = { csi: '\u009b', string: '\u0090\u0098\u009d-\u009f', end: '\u009c' };

/** Operating system commands and their like, which run to a terminator. */
const STRINGS = new RegExp(
  `(?:${ESC}[\\]PX^_]|[${C1.string}])[^${BEL}${ESC}${C1.end}]*(?:${BEL}|${ESC}\\\\|${C1.end})`,
  'g',
);
/** Control sequences: colours, cursor movement, modes. */
const SEQUENCES = new RegExp(`(?:${ESC}\\[|${C1.csi})[0-?]*[ -/]*[@-~]`, 'g');
/** Any other escape, with the character that it introduces. */
const ESCAPES = new RegExp(`${ESC}[ -/]*[0-~]?`, 'g');
/** What is left of control characters (but for line feed and tab), and the marks that reorder or hide text. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The text without anything but words, line breaks and spaces. */
export function cleaned(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(STRINGS, '')
    .replace(SEQUENCES, '')
    .replace(ESCAPES, '')
    .replace(CONTROLS, '')
    .replace(/\t/g, '    ');
}

/** The text on one line. */
export function oneLine(text: string): string {
  return cleaned(text).replace(/\s+/g, ' ').trim();
}

/** Bytes for a person. */
export function bytes(count: number): string {
  return count < 1024 ? `${count} bytes` : `${Math.round(count / 1024)} KiB`;
}
