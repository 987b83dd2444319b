import { createHash } from 'node:crypto';
import type { Digest } from '@hearth/protocol/ids.ts';
import { HEAD_LIMIT, type Text, TEXT_LIMIT } from '@hearth/protocol/text.ts';

/** Long text as a reference by digest; the same text always gives the same reference. */
export function textOf(text: string): Text {
  const bytes = Buffer.byteLength(text);
  if (bytes <= TEXT_LIMIT) return text;
  return { blob: digestOf(text), bytes, head: headOfLong(text) };
}

/** The digest by which a text is kept. */
export function digestOf(text: string): Digest {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The first `HEAD_LIMIT` bytes, cut between characters. */
function headOfLong(text: string): string {
  const cut = Buffer.from(text.slice(0, HEAD_LIMIT)).subarray(0, HEAD_LIMIT);
  return new TextDecoder().decode(cut).replace(/\uFFFD+$/u, '');
}
