/**
 * One line of a journal: a JSON object whose last member is `sum`, the first 16 hex digits of SHA-256 over the UTF-8
 * bytes of the same object without it.
 *
 *     {"n":7,"words":[],"sum":"0123456789abcdef"}
 *
 * The sum is over bytes and not over a value read back, so one flipped bit anywhere in the line is found.
 */
import { sumOf } from './digest.ts';

const LABEL = ',"sum":"';
/** Bytes from the label to the closing brace. */
const TAIL = LABEL.length + 16 + 2;
const encoder = new TextEncoder();

/** What a journal may hold: numbered objects, and never a `sum` of their own. */
export interface Numbered {
  readonly n: number;
  readonly sum?: never;
}

/** The bytes of a line, its newline included. */
export function encodeLine(line: Numbered): Uint8Array {
  const body = JSON.stringify(line);
  return encoder.encode(`${body.slice(0, -1)}${LABEL}${sumOf(body)}"}\n`);
}

/** The value of a line given without its newline; `undefined` when the sum does not hold. */
export function decodeLine(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = Buffer.concat([text.subarray(0, -TAIL), encoder.encode('}')]);
  if (text.toString('latin1', Math.max(0, text.length - TAIL)) !== `${LABEL}${sumOf(body)}"}`)
    return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
