import type { JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import { describe, expect, test } from 'vitest';
import { Stage } from '../testing/stage.ts';
import { partsOf } from './prompt-parts.ts';

/* How the rehearsal plays the parts of a bot whose documents a person confirms. */

const schema = (properties: Record<string, JsonObject>): JsonSchema => ({ type: 'object', properties });
const STRING = { type: 'string' };
const interpreted = schema({
  route: { type: 'string', enum: ['interpret', 'answer', 'refuse'] },
  reply: STRING,
  prompt_body: STRING,
  carries: { type: 'boolean' },
});
const planned = schema({ plan_body: STRING });
const executed = schema({
  status: { type: 'string', enum: ['result', 'request_input', 'blocked'] },
  body: STRING,
  message: STRING,
});
const reading = schema({
  kind: { type: 'string', enum: ['review', 'new_task', 'protocol', 'substance', 'cancel', 'unclear'] },
  task: { type: 'array', items: STRING },
  approach: { type: 'array', items: STRING },
  progression: { type: 'boolean' },
});

async function given(output: JsonSchema, parts: Readonly<Record<string, string>>): Promise<JsonObject> {
  const playing = new Stage([]);
  playing.grants = [];
  playing.output = output;
  const prompt = Object.entries(parts).map(([name, text]) => `<${name}>\n${text}\n</${name}>`);
  const { last } = await playing.say(`Some words of the author.\n\n${prompt.join('\n\n')}\n`);
  if (last.type !== 'done') throw new Error(last.type);
  return last.output;
}

describe('the parts of a prompt', () => {
  test.each([
    ['<a>\nx\n</a>', { a: 'x' }],
    ['<a>\n\n</a>\n<a>\ny\n</a>\n<a>\nz\n</a>', { a: 'y\nz' }],
    ['said <a> and </a>', {}],
    ['<a>\n  <b>\nx\n</a>', { a: '  <b>\nx' }],
  ])('%j', (prompt, parts) => {
    expect(partsOf(prompt)).toEqual(parts);
  });
});

describe('the interpretation', () => {
  test("is the person's words, line by line, in the notation", async () => {
    expect(await given(interpreted, { request: 'Compare three routers.\n\n  Under 100 EUR' })).toEqual({
      route: 'interpret',
      reply: '',
      prompt_body: 'DO what the person asked for\n    "Compare three routers."\n    "Under 100 EUR"',
      carries: false,
    });
  });

  test.each(['hello', 'Merci !', '', 'confirm', "D'accord."])('is not made of %j', async request => {
    const output = await given(interpreted, { request });
    expect(output).toMatchObject({ route: 'answer', prompt_body: '' });
    expect(output['reply']).toMatch(/rehearsal|répétition/);
  });

  test('is written anew, whole, with a change below', async () => {
    const before = 'DO what the person asked for\n    "Compare three routers."';
    const { prompt_body } = await given(schema({ prompt_body: STRING }), {
      interpretation: before,
      change: 'for nine people',
    });
    expect(prompt_body).toBe(`${before}\nCHANGE it as the person asked\n    "for nine people"`);
  });

  test('speaks the language of the person', async () => {
    const { prompt_body } = await given(interpreted, { request: 'Compare les trois routeurs pour nous' });
    expect(prompt_body).toMatch(/^FAIRE ce que/);
  });
});

describe('the plan', () => {
  test('follows the interpretation, and keeps what was said about the way', async () => {
    const parts = { interpretation: 'DO it', words: 'primary sources only' };
    expect(await given(planned, parts)).toEqual({
      plan_body:
        'FOLLOW the confirmed interpretation line by line\nKEEP to what the person said about the way\n    "primary sources only"\nSAY in the result that this was a rehearsal',
    });
  });

  test('is written anew, whole, with a change below', async () => {
    const { plan_body } = await given(planned, {
      interpretation: 'DO it',
      plan: 'FOLLOW it',
      change: 'no scores',
    });
    expect(plan_body).toBe('FOLLOW it\nCHANGE it as the person asked\n    "no scores"');
  });
});

describe('the execution', () => {
  const task = { interpretation: 'DO it\n    "now"', plan: 'FOLLOW it', request: 'do it now' };

  test.each(['standard', 'pseudocode'])(
    'says in %s that nothing was worked out, and for what',
    async mode => {
      const output = await given(executed, { ...task, output_mode: mode });
      expect(output).toMatchObject({ status: 'result', message: '' });
      expect(output['body']).toContain('rehearsal');
      expect(output['body']).toMatch(/DO it\n *"now"/);
      expect(JSON.stringify(output['body'])).toMatch(mode === 'pseudocode' ? /^"STATE / : /^"This is /);
    },
  );

  test.each(["work it out, I'll give you the figures later", 'calcule cela, je te donnerai les chiffres'])(
    'asks for what was announced, once: %s',
    async request => {
      const asked = await given(executed, { ...task, request, output_mode: 'standard' });
      expect(asked).toMatchObject({ status: 'request_input', body: '' });
      expect(asked['message']).not.toBe('');
      const supplied = await given(executed, {
        ...task,
        request,
        output_mode: 'standard',
        data: '80 and 35',
      });
      expect(supplied['status']).toBe('result');
      expect(supplied['body']).toContain('80 and 35');
    },
  );
});

describe('the reader', () => {
  test.each(['Confirmed.', 'yes, go on', 'Oui, parfait, vas-y', 'make it shorter', 'stop'])(
    'infers nothing of %j',
    async message => {
      expect(await given(reading, { text: 'DO it', message })).toEqual({
        kind: 'unclear',
        task: [],
        approach: [],
        progression: false,
      });
    },
  );

  test('an answer beside the review says what was heard', async () => {
    const { reply } = await given(schema({ reply: STRING }), { text: 'DO it', question: 'what is ENDIF?' });
    expect(reply).toBe('This is a rehearsal. I heard: “what is ENDIF?”');
  });
});
