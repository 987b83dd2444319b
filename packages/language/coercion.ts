import type { Type } from './plan.ts';
import type { Value } from './value.ts';

/**
 * Reads text as a value of a var's type: an override from outside, or a default that had to be written as a string.
 * `undefined` when the text is none; the text itself is then used, with a warning where that helps.
 */
export function coerce(type: Type, text: string): Value | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'bool':
      return coerceBool(text.trim().toLowerCase());
    case 'int':
      return /^[+-]?\d+$/.test(text.trim()) ? finite(Number(text), Number.isSafeInteger) : undefined;
    case 'float':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim())
        ? finite(Number(text), Number.isFinite)
        : undefined;
    case 'json':
      return json(text) ?? (text.trim() === 'null' ? null : undefined);
    case 'string[]':
      return coerceList(text);
  }
}

function coerceBool(word: string): boolean | undefined {
  if (['true', '1', 'yes'].includes(word)) return true;
  return ['false', '0', 'no', ''].includes(word) ? false : undefined;
}

/** A JSON array of strings, or words between commas; blank text is no words. */
function coerceList(text: string): Value {
  const parsed = json(text);
  if (Array.isArray(parsed)) return parsed.map(one => (typeof one === 'string' ? one : JSON.stringify(one)));
  if (text.trim() === '') return [];
  return text.split(',').map(word => word.trim());
}

function finite(value: number, fits: (value: number) => boolean): number | undefined {
  return fits(value) ? value : undefined;
}

function json(text: string): Value | undefined {
  try {
    // What JSON text parses to is a value, by definition.
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
