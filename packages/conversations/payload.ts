/** What makes two commands the same: everything in them but the id, under which they are compared. */
import type { Digest } from '@hearth/protocol/ids.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import { sha256 } from '@hearth/store/digest.ts';

/** The digest of a command's kind and contents. */
export function payloadOf(kind: string, command: object): Digest {
  return sha256(canonicalJson({ ...command, command: kind, commandId: undefined }));
}
