import { byteLength } from '../bytes.ts';
import type { Value } from '../value.ts';
import type { Template, TemplateRef } from './template.ts';
import { refText, templateText } from './template-parser.ts';

/** Finds what a reference stands for; `undefined` when it stands for nothing. */
export type Lookup = (ref: TemplateRef) => Value | undefined;

const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Renders a prompt: strings as they are, null as nothing, anything else as compact JSON. A reference to nothing stays
 * as written. Values are put in once and never read again, so text in a value cannot refer to anything. What exceeds
 * 5 MiB is dropped.
 */
export function render(template: Template, lookup: Lookup): string {
  const parts: string[] = [];
  let left = MAX_BYTES;
  for (const part of template) {
    const text = typeof part === 'string' ? part : shown(lookup(part), part);
    const size = byteLength(text);
    parts.push(size <= left ? text : clip(text, left));
    left -= size;
    if (left <= 0) break;
  }
  return parts.join('');
}

/**
 * Whether a `with` value of profile 2 is made by rendering: it has references, and is not one reference alone. Profile 1
 * drops the text around one reference and leaves several as they are written.
 */
export function isMixed(template: Template): boolean {
  return template.length > 1 && template.some(part => typeof part !== 'string');
}

/**
 * The value of a `with` entry. A template with exactly one reference is that value with its type, whatever text is
 * around it, and null when there is none; any other is its text, unchanged.
 */
export function resolve(template: Template, lookup: Lookup): Value {
  const refs = template.filter(part => typeof part !== 'string');
  const [ref] = refs;
  return ref !== undefined && refs.length === 1 ? (lookup(ref) ?? null) : templateText(template);
}

function shown(value: Value | undefined, ref: TemplateRef): string {
  if (value === undefined) return refText(ref);
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The longest beginning of a text that fits, in whole characters. */
function clip(text: string, bytes: number): string {
  let low = 0;
  let high = Math.min(text.length, bytes);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteLength(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? low - 1 : low);
}
