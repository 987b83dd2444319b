/*
 * Shows a structured answer while it is being written: finds one text field in JSON that is not complete yet. Pure.
 */

/** The field whose text a person watches: `reply`, else the only text field there is; `null` when there is none. */
export function watchedField(schema: Readonly<Record<string, unknown>> | null): string | null {
  const properties = schema?.['properties'];
  if (typeof properties !== 'object' || properties === null) return null;
  const texts = Object.entries(properties).filter(([, inner]) => inner?.type === 'string' && !inner.enum);
  const [only] = texts;
  if (texts.some(([name]) => name === 'reply')) return 'reply';
  return texts.length === 1 && only !== undefined ? only[0] : null;
}

/** The text of `field` as far as `json`, the beginning of an object, goes; `null` when it has not begun. */
export function partialText(json: string, field: string): string | null {
  const label = new RegExp(
    `[{,]\\s*${JSON.stringify(field).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\s*:\\s*"`,
  );
  const start = label.exec(json);
  if (start === null) return null;
  const rest = json.slice(start.index + start[0].length);
  const body = /^(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/.exec(rest)?.[0] ?? '';
  try {
    const text: unknown = JSON.parse(`"${body.replaceAll(/[\n\r\t]/g, ' ')}"`);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
