import { JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * What the program says, as far as it is read. It adds kinds and fields with almost every version, and what is not known is
 * passed over.
 */

const count = z.number().nonnegative().catch(0);

/** What stands in a thread: words, reasoning, calls of tools. */
export const Item = z.looseObject({ id: z.string(), type: z.string() });
export type Item = z.infer<typeof Item>;

/** Words of the model's. */
export const AgentMessage = z.looseObject({ id: z.string(), text: z.string() });
/** Words that the program took in; `clientId` is the id under which they were sent. */
export const UserMessage = z.looseObject({ clientId: z.string().nullish() });
/** What becomes of one file. */
const Change = z.object({ path: z.string(), kind: z.json().exactOptional(), diff: z.string().catch('') });
export type Change = z.infer<typeof Change>;
/** Something that the program did by itself: a command, a search, a change of files. */
export const Ran = z.looseObject({
  command: z.string().catch(''),
  query: z.string().catch(''),
  status: z.string().catch('completed'),
  changes: z.array(Change).catch([]),
});
/** A piece of words that are being written. */
export const Delta = z.looseObject({ itemId: z.string(), delta: z.string() });

/** Why a turn failed; `codexErrorInfo` names the kind. */
export const TurnError = z.looseObject({
  message: z.string().catch(''),
  additionalDetails: z.string().nullish(),
  codexErrorInfo: z.union([z.string(), JsonObject]).nullish(),
});
export type TurnError = z.infer<typeof TurnError>;

/** A turn of the program's, as it stands. */
export const Turn = z.looseObject({
  id: z.string(),
  status: z.string(),
  error: TurnError.nullish(),
});

/** What a notification about a turn carries. */
export const OfTurn = z.looseObject({ turn: Turn });
/** What a notification about an item carries. */
export const OfItem = z.looseObject({ item: Item });

/** The tokens of the last request, and how many fit into the context. */
export const Usage = z.looseObject({
  tokenUsage: z.looseObject({
    last: z.looseObject({
      totalTokens: count,
      inputTokens: count,
      cachedInputTokens: count,
      cacheWriteInputTokens: count,
      outputTokens: count,
    }),
    modelContextWindow: z.number().positive().nullish(),
  }),
});

/** The answer to a request that begins or goes on with a thread. */
export const Threaded = z.looseObject({
  thread: z.looseObject({ id: z.string(), path: z.string().nullish() }),
  model: z.string().catch(''),
});

/** What is asked for leave. Of a change of files only the item is told, whose changes came before. */
export const Approval = z.looseObject({
  itemId: z.string().catch(''),
  /** One item may ask more than once. */
  approvalId: z.string().nullish().catch(null),
  /** `command`, or what else is wanted, such as to write to one that works. */
  kind: z.string().catch('command'),
  command: z.string().nullish().catch(null),
  cwd: z.string().nullish().catch(null),
  /** More than the sandbox gives: a host of the network, places, for the rest of the session. */
  networkApprovalContext: z.json().nullish(),
  additionalPermissions: z.json().nullish(),
  grantRoot: z.json().nullish(),
});

/** Questions of the program's own. */
export const Questions = z.looseObject({
  itemId: z.string().catch(''),
  questions: z.array(
    z.looseObject({
      id: z.string(),
      question: z.string(),
      isOther: z.boolean().catch(true),
      options: z.array(z.looseObject({ label: z.string(), description: z.string().catch('') })).nullish(),
    }),
  ),
});
