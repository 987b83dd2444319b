import type { JsonObject } from '@hearth/protocol/json.ts';
import { describe, expect, test } from 'vitest';
import { idle } from './other.ts';
import { envelopeSchema, Stage, ticket } from '../testing/stage.ts';

describe('values that move nothing forward', () => {
  test.each([
    [{ type: 'string' }, ''],
    [{ type: 'string', minLength: 3 }, 'This is a rehearsal: no model is configured.'],
    [{ type: 'boolean' }, false],
    [{ type: 'integer' }, 0],
    [{ type: 'number', minimum: 2.5 }, 2.5],
    [{ type: 'array', items: { type: 'string' } }, []],
    [{ type: 'array', items: { type: 'string', enum: ['go', 'stop'] }, minItems: 1 }, ['stop']],
    [{ type: ['string', 'null'] }, null],
    [{ enum: ['confirm', 'revise', 'none'] }, 'none'],
    [{ type: 'string', enum: ['approve', 'refused'] }, 'refused'],
    [{ type: 'string', enum: ['alpha', 'beta'] }, 'alpha'],
    [{ enum: ['deploy', 'hold'] }, 'hold'],
    [{ enum: ['no', 'stop', 'later'] }, 'stop'],
    [{ enum: ['merge', 'none_of_these'] }, 'none_of_these'],
    [{ enum: ['approve', 'request_changes'] }, 'request_changes'],
    [{ enum: ['Deploy', 'Do not deploy'] }, 'Do not deploy'],
    [{ enum: ['ship_it', 'doNotShip'] }, 'doNotShip'],
    [{ enum: ['publish', 'continue', 'draft'] }, 'draft'],
    [{ enum: ['Valider', 'Brouillon'] }, 'Brouillon'],
    [{ enum: [true, false] }, false],
    [{ enum: [true, 'maybe'] }, 'maybe'],
    [{ enum: ['go', 'proceed'] }, 'go'],
    [{ const: 7 }, 7],
    [{}, {}],
    [true, {}],
    [
      {
        type: 'object',
        properties: {
          ok: { type: 'boolean' },
          notes: { type: 'array' },
          data: {},
          inner: { type: 'object', properties: { n: { type: 'integer' } } },
        },
      },
      { ok: false, notes: [], data: {}, inner: { n: 0 } },
    ],
  ] as const)('%j', (schema, value) => {
    expect(idle(schema, 'en')).toEqual(value);
  });
});

describe("a bot that is not the board's assistant", () => {
  const chat = (output: JsonObject | null) => {
    const playing = new Stage([ticket(1, 'Thing')]);
    playing.grants = [];
    playing.output = output;
    return playing;
  };

  test.each([
    ['hello there', 'This is a rehearsal. I heard: “hello there”', false],
    ['bonjour à tous', "C'est une répétition. J'ai entendu : «\u00a0bonjour à tous\u00a0»", false],
    ['[hearth] note\nhello there', 'This is a rehearsal. I heard: “hello there”', false],
    ['', 'This is a rehearsal; no model is configured. Say anything and I repeat it.', false],
    ['close HB-1', 'This is a rehearsal. I heard: “close HB-1”', false],
    ['done for now', 'This is a rehearsal. I heard: “done for now”', false],
    ['à plus tard', "C'est une répétition. J'ai entendu : «\u00a0à plus tard\u00a0»", false],
    ['end the session', 'I end this session.', true],
    ['merci, ferme la session', 'Je termine cette session.', true],
  ])('a chat bot echoes: %s', async (text, reply, close) => {
    const turn = await chat(envelopeSchema).say(text);
    expect([turn.reply, turn.close, turn.calls]).toEqual([reply, close, []]);
  });

  test('any other output is filled after its schema, and nothing else is added', async () => {
    const schema = {
      type: 'object',
      properties: {
        kind: { enum: ['task', 'none'] },
        summary: { type: 'string' },
        ok: { type: 'boolean' },
      },
    };
    expect((await chat(schema).say('do it')).last).toEqual({
      type: 'done',
      output: { kind: 'none', summary: '', ok: false },
      text: 'This is a rehearsal: no model is configured.',
    });
    expect((await chat(null).say('do it')).last).toMatchObject({ type: 'done', output: {} });
  });

  test('an output of fewer fields gets only those, from the assistant too', async () => {
    const playing = new Stage([ticket(1, 'Thing')]);
    playing.output = {
      type: 'object',
      properties: { reply: { type: 'string' }, extra: { type: 'integer' } },
    };
    const { last } = await playing.say('hello');
    expect(last.type === 'done' && Object.keys(last.output).sort()).toEqual(['extra', 'reply']);
  });

  test('a node that reads the board but has no reply is filled as well', async () => {
    const playing = new Stage([ticket(1, 'Thing')]);
    playing.output = { type: 'object', properties: { ok: { type: 'boolean' } } };
    const turn = await playing.say('close everything');
    expect([turn.last, turn.calls]).toMatchObject([{ type: 'done', output: { ok: false } }, []]);
  });
});
