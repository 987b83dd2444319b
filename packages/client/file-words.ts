import { byteSize } from '@hearth/protocol/byte-size.ts';
import type { BlobRef } from '@hearth/protocol/text.ts';
import { sanitiseLine } from './sanitise.ts';

/** The files of a message in one line, the same on every surface; empty when none came with it. */
export function fileWords(files: readonly BlobRef[] = []): string {
  if (files.length === 0) return '';
  return `Attached: ${files.map(({ name, bytes }) => `${sanitiseLine(name)} (${byteSize(bytes)})`).join(', ')}`;
}
