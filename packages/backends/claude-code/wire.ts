import { Json, JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * The lines that Claude Code writes, as far as they are read: it adds kinds and fields with almost every version, and what
 * is not known is passed over. A line of a known kind that lacks what is needed is none.
 */

const Usage = z
  .looseObject({
    input_tokens: z.number().catch(0),
    output_tokens: z.number().catch(0),
    cache_read_input_tokens: z.number().catch(0),
    cache_creation_input_tokens: z.number().catch(0),
  })
  .nullish();
export type Usage = z.infer<typeof Usage>;

/** A part of what the model said. */
export const Block = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: JsonObject.catch({}),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    is_error: z.boolean().catch(false),
    content: Json.catch(null),
  }),
  z.looseObject({ type: z.literal('other') }),
]);

const OTHER = { type: 'other' } as const;
const Content = z.union([
  z.string().transform(text => [{ type: 'text' as const, text }]),
  z.array(Block.catch(OTHER)),
]);

const StreamEvent = z.union([
  z.looseObject({ type: z.literal('message_start') }),
  z.looseObject({
    type: z.literal('content_block_start'),
    content_block: z.looseObject({ type: z.string(), name: z.string().exactOptional() }),
  }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    delta: z.looseObject({
      type: z.string(),
      text: z.string().exactOptional(),
      partial_json: z.string().exactOptional(),
    }),
  }),
  z.looseObject({ type: z.literal('message_delta'), usage: Usage }),
]);

const parent = z.string().nullish();

/** A line of the program's, of a kind that is read. */
export const Line = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('system'),
    subtype: z.string(),
    session_id: z.string().exactOptional(),
    model: z.string().exactOptional(),
    tools: z.array(z.string()).exactOptional(),
    compact_metadata: z.looseObject({ pre_tokens: z.number().exactOptional() }).exactOptional(),
  }),
  z.looseObject({
    type: z.literal('assistant'),
    message: z.looseObject({ id: z.string().catch(''), model: z.string().catch(''), content: Content }),
    parent_tool_use_id: parent,
    error: z.string().exactOptional(),
  }),
  z.looseObject({
    type: z.literal('user'),
    message: z.looseObject({ content: Content }),
    parent_tool_use_id: parent,
    isSynthetic: z.boolean().exactOptional(),
  }),
  z.looseObject({ type: z.literal('stream_event'), event: StreamEvent, parent_tool_use_id: parent }),
  z.looseObject({
    type: z.literal('command_lifecycle'),
    command_uuid: z.string(),
    state: z.string(),
  }),
  z.looseObject({ type: z.literal('control_request'), request_id: z.string(), request: JsonObject }),
  z.looseObject({
    type: z.literal('result'),
    subtype: z.string(),
    is_error: z.boolean(),
    result: z.string().exactOptional(),
    errors: z.array(z.string()).exactOptional(),
    structured_output: Json.exactOptional(),
    terminal_reason: z.string().exactOptional(),
    api_error_status: z.number().nullish(),
    api_error: z.string().exactOptional(),
    usage: Usage,
    modelUsage: z
      .record(z.string(), z.looseObject({ contextWindow: z.number().exactOptional() }))
      .exactOptional(),
    model_usage_since_last_result: z
      .record(z.string(), z.looseObject({ costUSD: z.number().nullish() }))
      .exactOptional(),
  }),
]);
export type Line = z.infer<typeof Line>;
/** The line with which the program says that it has nothing left to do. */
export type ResultLine = Extract<Line, { type: 'result' }>;

/** A request of the program's that wants an answer. */
export const ControlRequest = z.discriminatedUnion('subtype', [
  z.looseObject({ subtype: z.literal('mcp_message'), server_name: z.string(), message: JsonObject }),
  z.looseObject({
    subtype: z.literal('hook_callback'),
    input: z.looseObject({
      hook_event_name: z.string(),
      tool_name: z.string().catch(''),
      tool_input: JsonObject.catch({}),
    }),
    tool_use_id: z.string().catch(''),
  }),
  z.looseObject({
    subtype: z.literal('can_use_tool'),
    tool_name: z.string(),
    input: JsonObject,
    tool_use_id: z.string().catch(''),
    decision_reason_type: z.string().exactOptional(),
  }),
]);
export type ControlRequest = z.infer<typeof ControlRequest>;
