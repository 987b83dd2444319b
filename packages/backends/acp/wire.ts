import { JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * The Agent Client Protocol, version 1, as far as it is spoken (agentclientprotocol.com). What is not known is passed over.
 */

/** The version that is spoken. An agent that answers with another one cannot be used. */
export const VERSION = 1;

const offered = z.looseObject({}).nullish();

/** What an agent says of itself. */
export const Initialized = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: z
    .looseObject({ name: z.string().catch(''), title: z.string().nullish(), version: z.string().nullish() })
    .nullish(),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().catch(false),
      mcpCapabilities: z.looseObject({ http: z.boolean().catch(false) }).catch({ http: false }),
      sessionCapabilities: z.looseObject({ resume: offered, fork: offered }).catch({}),
    })
    .catch({ loadSession: false, mcpCapabilities: { http: false }, sessionCapabilities: {} }),
});
export type Initialized = z.infer<typeof Initialized>;

/**
 * The answer to a request that begins, goes on with or copies a session; `models` names the one that answers, where
 * the agent says it.
 */
export const Opened = z.looseObject({
  sessionId: z.string().exactOptional(),
  models: z.looseObject({ currentModelId: z.string() }).nullish(),
});

/** How a prompt ended, and what was used where the agent says so. */
export const Prompted = z.looseObject({
  stopReason: z.string().catch('end_turn'),
  usage: z.looseObject({ totalTokens: z.number().nonnegative().exactOptional() }).nullish().catch(null),
});

const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const call = {
  toolCallId: z.string(),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  rawInput: JsonObject.nullish().catch(null),
  content: z.json().nullish().catch(null),
  locations: z.json().nullish().catch(null),
  /** Agents on Claude Code say here what it calls its tool. */
  _meta: z
    .looseObject({ claudeCode: z.looseObject({ toolName: z.string() }) })
    .nullish()
    .catch(null),
};
const CallTold = z.looseObject(call);
/** What is told of a call; each further line about it tells only what is new. */
export type CallTold = z.infer<typeof CallTold>;

/** What an agent tells while it works. */
export const Update = z.discriminatedUnion('sessionUpdate', [
  z.looseObject({ sessionUpdate: z.literal('agent_message_chunk'), content: Text }),
  z.looseObject({ sessionUpdate: z.literal('agent_thought_chunk') }),
  z.looseObject({ sessionUpdate: z.literal('tool_call'), ...call }),
  z.looseObject({ sessionUpdate: z.literal('tool_call_update'), ...call }),
  z.looseObject({
    sessionUpdate: z.literal('usage_update'),
    used: z.number().nonnegative(),
    size: z.number().positive(),
  }),
]);
export type Update = z.infer<typeof Update>;

/** An agent that wants leave before it goes on. */
export const PermissionRequest = z.looseObject({
  toolCall: CallTold,
  options: z.array(z.looseObject({ optionId: z.string(), name: z.string(), kind: z.string() })),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;
