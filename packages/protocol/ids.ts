import { z } from 'zod';

/** `c_` and a lower-case ULID; also the name of the conversation's directory. */
export const ConversationId = z.templateLiteral(['c_', z.string().regex(/^[0-9a-hjkmnp-tv-z]{26}$/)]);
export type ConversationId = z.infer<typeof ConversationId>;

const count = z.int();

/** A letter and a counter from 1, as in `t31`. A template literal alone would let `p0`, `p-5` and `p07` pass. */
const counted = (id: string): boolean => /^[a-z][1-9]\d{0,14}$/.test(id);

/** Run, turn, pause, effect and message ids are a letter and a counter of the machine, unique in the conversation for ever. */
export const RunId = z.templateLiteral(['r', count]).refine(counted);
/** `r` and a counter: one run, counted over all resets. */
export type RunId = z.infer<typeof RunId>;
/** `t` and a counter: one turn. */
export const TurnId = z.templateLiteral(['t', count]).refine(counted);
export type TurnId = z.infer<typeof TurnId>;
/** `p` and a counter: one pause. A card keeps its id while its version moves. */
export const PauseId = z.templateLiteral(['p', count]).refine(counted);
export type PauseId = z.infer<typeof PauseId>;
/** `e` and a counter: one effect of the machine, the same for every attempt at it. */
export const EffectId = z.templateLiteral(['e', count]).refine(counted);
export type EffectId = z.infer<typeof EffectId>;
/** `m` and a counter: one accepted message. */
export const MessageId = z.templateLiteral(['m', count]).refine(counted);
export type MessageId = z.infer<typeof MessageId>;

/** Made by the client (a ULID or UUID); the same id twice is the same command. */
export const CommandId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16,64}$/, 'a command id is 16 to 64 letters, digits, "_" or "-"');
export type CommandId = z.infer<typeof CommandId>;

/** `sha256:` and 64 hex digits over the UTF-8 bytes as stored. */
export const Digest = z.templateLiteral(['sha256:', z.string().regex(/^[0-9a-f]{64}$/)]);
export type Digest = z.infer<typeof Digest>;

/** RFC 3339 with milliseconds, UTC. */
export const Instant = z.string();
export type Instant = z.infer<typeof Instant>;
