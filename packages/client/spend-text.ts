import type { Spend } from '@hearth/protocol/spend.ts';

/* Figures in words. What is not known is said to be, and never shown as nothing. */

/** A time: `850 ms`, `12.3 s`, `4 min 5 s`, `2 h 3 min`. */
export function timeText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** So many of something: `1 turn`, `2 turns`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** What it cost, as far as that is known. */
export function costText({ costUsd, unpriced }: Pick<Spend, 'costUsd' | 'unpriced'>): string {
  const known =
    costUsd === null ? 'cost not known' : `$${costUsd.toFixed(costUsd > 0 && costUsd < 1 ? 4 : 2)}`;
  return unpriced > 0 && costUsd !== null
    ? `${known} and ${counted(unpriced, 'step')} of unknown cost`
    : known;
}

/** All of it in one line. */
export function spendText(spend: Spend): string {
  const tokens = spend.tokens === null ? 'tokens not known' : counted(spend.tokens, 'token');
  return `${timeText(spend.activeMs)}, ${tokens}, ${costText(spend)}`;
}
