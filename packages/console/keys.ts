import { decodeKittyPrintable, matchesKey } from '@earendil-works/pi-tui';

/* Keys as terminals send them, in whichever of their protocols. */

/** What a key means to a list. */
export type Pressed = 'up' | 'down' | 'enter' | number;

const NAMED = ['up', 'down', 'enter'] as const;

/** Whether the key puts a character into the composer. */
export function isPrinted(data: string): boolean {
  return decodeKittyPrintable(data) !== undefined || /^\P{Cc}+$/u.test(data);
}

/** What a key means to a list; `null` when nothing. */
export function pressedKey(data: string): Pressed | null {
  const named = NAMED.find(key => matchesKey(data, key));
  if (named !== undefined) return named;
  const printed = decodeKittyPrintable(data) ?? data;
  return /^[1-9]$/.test(printed) ? Number(printed) : null;
}
