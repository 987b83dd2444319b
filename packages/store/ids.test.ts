import { CommandId, ConversationId } from '@hearth/protocol/ids.ts';
import { describe, expect, it } from 'vitest';
import { countedIds } from './counted-ids.ts';
import { systemIds } from './random-ids.ts';

describe.each([
  ['systemIds', systemIds],
  ['countedIds', countedIds()],
])('%s', (_, ids) => {
  it('have the form that the protocol asks for, and never repeat', () => {
    const all = Array.from({ length: 200 }, () => [ids.conversation(), ids.session(), ids.command()]);
    for (const [conversation, session, command] of all) {
      expect(ConversationId.safeParse(conversation).success).toBe(true);
      expect(session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(CommandId.safeParse(command).success).toBe(true);
    }
    expect(new Set(all.flat()).size).toBe(600);
  });
});

it('counted ids are the same in every run', () => {
  const [one, other] = [countedIds(), countedIds()];
  expect([one.conversation(), one.session(), one.command()]).toEqual([
    other.conversation(),
    other.session(),
    other.command(),
  ]);
});
