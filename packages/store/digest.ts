/** SHA-256, in the two forms that the store writes. */
import { createHash } from 'node:crypto';
import type { Digest } from '@hearth/protocol/ids.ts';

/** The digest of bytes, or of a text as UTF-8. */
export function sha256(data: Uint8Array | string): Digest {
  return `sha256:${hex(data)}`;
}

/** The first 16 hex digits of SHA-256: enough to find damage, which is all that a line's `sum` is for. */
export function sumOf(line: Uint8Array | string): string {
  return hex(line).slice(0, 16);
}

function hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}
