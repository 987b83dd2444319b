/** SHA-256, in the two forms that the store writes. */
import { createHash, hash } from 'node:crypto';
import type { Digest } from '@hearth/protocol/ids.ts';

/** The digest of bytes, or of a text as UTF-8. */
export function sha256(data: Uint8Array | string): Digest {
  return `sha256:${hash('sha256', data)}`;
}

/** The digest of bytes that come in pieces, none of which is kept. */
export async function sha256Of(pieces: AsyncIterable<Uint8Array>): Promise<Digest> {
  const all = createHash('sha256');
  for await (const piece of pieces) all.update(piece);
  return `sha256:${all.digest('hex')}`;
}

/** The first 16 hex digits of SHA-256: enough to find damage, which is all that a line's `sum` is for. */
export function sumOf(line: Uint8Array | string): string {
  return hash('sha256', line).slice(0, 16);
}
