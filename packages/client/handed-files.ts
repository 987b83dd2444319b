import { byteSize } from '@hearth/protocol/byte-size.ts';
import { type Attached, ATTACHED_COUNT, ATTACHED_LIMIT } from '@hearth/protocol/text.ts';
import { sanitiseLine } from './sanitise.ts';

/*
 * Files that a person has chosen for their next message. The bytes are uploaded when a file is chosen, so that what cannot
 * be attached is told at once and not when the message leaves. Pure.
 */

/** Why a file of that many bytes cannot be attached to a message that has so many already; `null` when it can. */
export function whyNotAttached(name: string, bytes: number, already: number): string | null {
  const quoted = `"${sanitiseLine(name)}"`;
  if (bytes > ATTACHED_LIMIT)
    return `${quoted} is larger than ${byteSize(ATTACHED_LIMIT)}: attach less, or name its path in the message.`;
  if (already >= ATTACHED_COUNT)
    return `At most ${ATTACHED_COUNT} files go with one message: send that first, and attach ${quoted} to the next.`;
  return null;
}

/** The files with one more at the end; the same bytes under the same name are there once. */
export function withFile(files: readonly Attached[], file: Attached): readonly Attached[] {
  return [...withoutFile(files, file), file];
}

/** The files without one. */
export function withoutFile(files: readonly Attached[], file: Attached): readonly Attached[] {
  return files.filter(one => one.blob !== file.blob || one.name !== file.name);
}
