import { z } from 'zod';

/** `c_` and a lower-case ULID; also the name of the conversation's directory. */
export const ConversationId = z.templateLiteral(['c_', z.string().regex(/^[0-9a-hjkmnp-tv-z]{26}$/)]);
export type ConversationId = z.infer<typeof ConversationId>;

const count = z.int().positive();

/** Run, turn, pause, effect and message ids are a letter and a counter of the machine, unique in the conversation for ever. */
export const RunId = z.templateLiteral(['r', count]);
export type RunId = z.infer<typeof RunId>;
export const TurnId = z.templateLiteral(['t', count]);
export type TurnId = z.infer<typeof TurnId>;
export const PauseId = z.templateLiteral(['p', count]);
export type PauseId = z.infer<typeof PauseId>;
export const EffectId = z.templateLiteral(['e', count]);
export type EffectId = z.infer<typeof EffectId>;
export const MessageId = z.templateLiteral(['m', count]);
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
