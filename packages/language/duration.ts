const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Reads a duration such as `45m`, `1h30m`, `90s` or `1.5h` as milliseconds; `undefined` when it is none. */
export function durationOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[hms]))+$/.test(trimmed)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[hms])/g)) {
    total += Number(amount) * (UNITS[unit] ?? 0);
  }
  return Number.isFinite(total) ? Math.round(total) : undefined;
}
