/*
 * Times as a person reads them: the clock on their own wall, as TZ or the system has it. What programs read (`--json`,
 * reports, exports) keeps RFC 3339 in UTC.
 */

/** `2026-11-30 09:05`: a time of RFC 3339 to the minute, in the zone of whoever reads it; what is no time, as it is. */
export function localMinute(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return `${localDay(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `2026-11-30 09:05:07.123`, as `localMinute`. */
export function localMoment(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return `${localMinute(at)}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function localDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
