/*
 * Words from a model, a ticket, a repository or another person are only ever words: whatever could move a cursor,
 * change a terminal's state, write to its clipboard or turn round what is read is taken out before anything is drawn.
 * Pure, and the same for every surface.
 */

const [ESC, BEL] = ['\u001b', '\u0007'];
/** The eight-bit forms of introducers, which some terminals obey too. */
const C1 = { csi: '\u009b', string: '\u0090\u0098\u009d-\u009f', end: '\u009c' };

/** Whole sequences go, so that their letters do not stay behind as rubbish. */
const SEQUENCES = new RegExp(
  [
    // Strings for the system (clipboard, title, device control), which run to a terminator. One that meets another
    // introducer first has none; looking further would cost the square of a text made of introducers.
    `(?:${ESC}[\\]PX^_]|[${C1.string}])[^${BEL}${ESC}${C1.end}${C1.string}]*(?:${BEL}|${ESC}\\\\|${C1.end})`,
    // Colours, cursor movement, modes.
    `(?:${ESC}\\[|${C1.csi})[0-?]*[ -/]*[@-~]`,
    // Any other escape, with the character that it introduces.
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** What is left of control characters (but for line feed and tab), and the marks that reorder or hide text. */
const MARKS = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\ufeff]/gu;

/** The marks that no key sends, so that they may be taken out of what a terminal sends as keys. */
const UNTYPED = /[\u0080-\u009f\p{Bidi_Control}\ufeff]/gu;

/** The text without anything but words, line feeds, tabs and spaces. Every line break is a line feed. */
export function sanitise(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(MARKS, '');
}

/** Safe and on one line. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim();
}

/** What a terminal sent as keys, without the marks of `sanitise` that keys never hold. */
export function sanitiseKeys(data: string): string {
  return data.replace(UNTYPED, '');
}
