import type { Actor } from '@hearth/protocol/actor.ts';
import { oneLine } from './text.ts';

/** What to call someone: "you" for whoever sits here, and where the words came from when that is another surface. */
export function speaker(by: Actor, me: Actor): string {
  if (by.kind === 'bot') return oneLine(by.name);
  if (by.kind === 'service') return 'Hearth';
  const self = by.name === me.name;
  if (self && by.surface === me.surface) return 'you';
  return `${self ? 'you' : oneLine(by.name)} (${oneLine(by.surface)})`;
}
