/** SHA-256, in the two forms that the store writes. */
import { hash } from 'node:crypto';
import type { Digest } from '@hearth/protocol/ids.ts';

/** The digest of bytes, or of a text as UTF-8. */
export function sha256(data: Uint8Array | string): Digest {
  return `sha256:${hash('sha256', data)}`;
}

/** The first 16 hex digits of SHA-256: enough to find damage, which is all that a line's `sum` is for. */
export function sumOf(line: Uint8Array | string): string {
  return hash('sha256', line).slice(0, 16);
}
