import { decodeKittyPrintable, matchesKey } from '@earendil-works/pi-tui';
import type { Pressed } from './choices.ts';

/* Keys as terminals send them, in whichever of their protocols. */

const ARROWS: readonly (readonly ['up' | 'down' | 'enter', Pressed])[] = [
  ['up', 'up'],
  ['down', 'down'],
  ['enter', 'enter'],
];

/** Whether the key puts a character into the composer. */
export function isPrinted(data: string): boolean {
  return decodeKittyPrintable(data) !== undefined || /^\P{Cc}+$/u.test(data);
}

/** What a key means to a list; `null` when nothing. */
export function pressedKey(data: string): Pressed | null {
  const named = ARROWS.find(([key]) => matchesKey(data, key));
  if (named !== undefined) return named[1];
  const printed = decodeKittyPrintable(data) ?? data;
  return /^[1-9]$/.test(printed) ? Number(printed) : null;
}
