import { z } from 'zod';
import { Digest } from './ids.ts';

/** A file kept under `blobs/` of the conversation. */
export const BlobRef = z.object({
  blob: Digest,
  bytes: z.int().nonnegative(),
  name: z.string(),
  mime: z.string(),
});
export type BlobRef = z.infer<typeof BlobRef>;

/** How a file is called, without its directories; no character in it begins another line. */
export const FileName = z.string().regex(/^[^/\\\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u);
/** A MIME type without parameters. */
export const MimeType = z.string().regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/);

/** A file that comes with a message; `as` names the attachment of the bot that it is. */
export const Attached = BlobRef.extend({
  name: FileName,
  mime: MimeType,
  as: z.string().min(1).exactOptional(),
});
export type Attached = z.infer<typeof Attached>;

/** An attached file may hold at most this many bytes. */
export const ATTACHED_LIMIT = 32 * 1024 * 1024;
/** So many files may come with one message. */
export const ATTACHED_COUNT = 16;

/** Long text lives in a blob and shows its first 2 KiB; see `TEXT_LIMIT`. */
export const TextRef = z.object({ blob: Digest, bytes: z.int().nonnegative(), head: z.string() });
export type TextRef = z.infer<typeof TextRef>;

/** Words in an event: themselves, or a reference when longer than `TEXT_LIMIT`. */
export const Text = z.union([z.string(), TextRef]);
export type Text = z.infer<typeof Text>;

/** Text above this many UTF-8 bytes becomes a `TextRef`. */
export const TEXT_LIMIT = 64 * 1024;
/** A `TextRef` shows at most this many UTF-8 bytes. */
export const HEAD_LIMIT = 2 * 1024;
/** A message may hold at most this many UTF-8 bytes. */
export const MESSAGE_LIMIT = 1024 * 1024;

/** What of the text can be shown without fetching a blob. */
export function headOf(text: Text): string {
  return typeof text === 'string' ? text : text.head;
}
