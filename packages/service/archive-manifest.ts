import { ConversationId, Digest } from '@hearth/protocol/ids.ts';
import { z } from 'zod';

/** The name of the manifest, the first file of an archive. */
export const MANIFEST = 'manifest.json';

/** What an archive of a conversation says that it holds. */
export const Manifest = z.object({
  format: z.literal(1),
  kind: z.literal('hearth-conversation'),
  /** The version of Hearth that made it. */
  hearth: z.string(),
  id: ConversationId,
  title: z.string(),
  bot: z.string(),
  files: z
    .array(z.object({ path: z.string().max(200), bytes: z.int().nonnegative(), digest: Digest }))
    .max(100_000),
});
export type Manifest = z.infer<typeof Manifest>;
