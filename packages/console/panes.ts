import { type Component, VStack } from '@earendil-works/pi-tui';

/** What the console shows, from top to bottom. */
export type Panes = Readonly<Record<'transcript' | 'choices' | 'quick' | 'composer' | 'status', Component>>;

/** Gives the transcript what room is left, and the composer its rows before anything else. */
export function panes({ transcript, choices, quick, composer, status }: Panes): VStack {
  return new VStack([
    { component: transcript, basis: 0, grow: 1, minSize: 1 },
    { component: choices, basis: 'auto', shrink: 4 },
    { component: quick, basis: 'auto', shrink: 4 },
    { component: composer, basis: 'auto', shrink: 1, minSize: 3 },
    { component: status, basis: 'auto', shrink: 2, minSize: 1 },
  ]);
}
