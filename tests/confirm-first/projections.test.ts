import type { BackendTurn } from '@hearth/engine/backend.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { initialState } from '@hearth/engine/state.ts';
import { type Projection, projectionsOf } from '@hearth/engine/projection.ts';
import { confirmFirst, type Model, Talk } from './stage.ts';

/*
 * What each call of a whole session is given, printed into `projections.txt`, and held against what it may know. Every text of
 * the session holds a word of its own, so that what a prompt holds can be told by its words.
 */

const MODEL: Model = {
  draft_interpretation: (_turn, number) => ({ prompt_body: `DO task${number}`, carries: number === 1 }),
  revise_interpretation: (_turn, number) => ({ prompt_body: `DO revisedtask${number}`, carries: false }),
  draft_approach: (_turn, number) => ({ plan_body: `FOLLOW way${number}` }),
  revise_approach: (_turn, number) => ({ plan_body: `FOLLOW revisedway${number}` }),
  read_message: ({ prompt }) =>
    prompt.user.includes('QUESTION')
      ? { kind: 'protocol' }
      : prompt.user.includes('LATER')
        ? { kind: 'substance' }
        : prompt.user.includes('NOTE1')
          ? { kind: 'review', approach: ['method'] }
          : { kind: 'unclear' },
  answer_protocol: () => ({ reply: 'ANSWER' }),
  execute: ({ prompt }, number) =>
    prompt.user.includes('REQUEST1') && !prompt.user.includes('SUPPLIED')
      ? { status: 'request_input', body: '', message: 'ASKED' }
      : { body: `RESULT${number}` },
};

/** The session: revisions of both, typed words of every kind, data, and a second task. */
async function session(): Promise<Talk> {
  const talk = await Talk.begin(MODEL);
  await talk.say('REQUEST1');
  await talk.type('CHATTER');
  await talk.type('QUESTION');
  await talk.type('LATER');
  await talk.type('NOTE1');
  await talk.act('revise', 'CHANGE1');
  await talk.act('confirm');
  await talk.act('revise', 'NOTE2');
  await talk.act('change_request', 'CHANGE2');
  await talk.act('confirm');
  await talk.act('confirm_standard');
  await talk.supply('SUPPLIED');
  await talk.say('REQUEST2');
  await talk.act('stop');
  await talk.say('REQUEST3');
  await talk.act('confirm');
  await talk.act('confirm_pseudocode');
  return talk;
}

const WORDS =
  /\b(?:REQUEST\d|CHANGE\d|NOTE\d|CHATTER|QUESTION|LATER|ANSWER|ASKED|SUPPLIED|RESULT\d|task\d|revisedtask\d|way\d|revisedway\d)\b/g;

/** The words of the session that a call was given, in order. */
function wordsOf({ prompt }: BackendTurn): string {
  return [...`${prompt.system}\n${prompt.user}`.matchAll(WORDS)].map(([word]) => word).join(' ');
}

function printed({ node, session: { mode }, prompt, tools, output }: BackendTurn): string {
  const fields = Object.keys((output?.['properties'] ?? {}) as object).join(', ');
  return [
    `===== ${node}: session ${mode}; tools ${tools.map(({ name }) => name).join(', ') || 'none'}; gives ${fields}`,
    `----- system: ${node === 'revise_interpretation' ? 'as draft_interpretation' : node === 'revise_approach' ? 'as draft_approach' : `prompts/${node}_system.md`}`,
    '----- user',
    prompt.user,
  ].join('\n');
}

let talk: Talk;
beforeAll(async () => {
  talk = await session();
});

test('#58 #59 every call is given its inclusion list and nothing else', () => {
  const given = talk.turns.map(turn => `${turn.node}: ${wordsOf(turn)}`);
  expect(given).toEqual([
    'draft_interpretation: REQUEST1',
    // The reader and the answer know the text and the message.
    'read_message: task1 CHATTER',
    'read_message: task1 QUESTION',
    'answer_protocol: task1 QUESTION',
    'read_message: task1 LATER',
    'read_message: task1 NOTE1',
    'revise_interpretation: task1 CHANGE1',
    // The request comes along since it also said how; the rejected text does not.
    'draft_approach: revisedtask1 REQUEST1 NOTE1',
    'revise_approach: revisedtask1 way1 NOTE1 NOTE2',
    'revise_interpretation: revisedtask1 CHANGE2',
    'draft_approach: revisedtask2 REQUEST1 NOTE1 NOTE2',
    'execute: revisedtask2 way2 REQUEST1 CHANGE1 CHANGE2 NOTE1 NOTE2',
    'execute: revisedtask2 way2 REQUEST1 CHANGE1 CHANGE2 NOTE1 NOTE2 ASKED SUPPLIED',
    // The last result crosses over, as background; the stopped task does not.
    'draft_interpretation: REQUEST2 REQUEST1 RESULT2',
    'draft_interpretation: REQUEST3 REQUEST1 RESULT2',
    'draft_approach: task3',
    'execute: task3 way3 REQUEST3 REQUEST1 RESULT2',
  ]);
});

test('every projection is as it is printed', async () => {
  await expect(`${talk.turns.map(printed).join('\n\n')}\n`).toMatchFileSnapshot('projections.txt');
});

describe('no call is given', () => {
  const prompts = (): string[] => talk.turns.map(({ prompt }) => `${prompt.system}\n${prompt.user}`);

  test('an id, a version or a digest', () => {
    for (const prompt of prompts())
      expect(
        prompt.match(/\b(?:[prtem]\d+|c_[0-9a-z]+|sha256:\w+|(?:interpretation|approach)@\d+)\b/g),
      ).toBeNull();
  });

  test('a name of an action, or the label of a button as something that was said', () => {
    for (const { prompt } of talk.turns)
      expect(
        prompt.user.match(/confirm_standard|confirm_pseudocode|change_request|Confirm interpretation/g),
      ).toBeNull();
  });

  test('a session, a recap, an attachment, or tools that are not its own', () => {
    for (const { node, session: began, prompt, tools, answers, interrupted, mayAsk } of talk.turns) {
      expect(began).toEqual({ mode: 'fresh' });
      expect([prompt.attachments, answers, interrupted, mayAsk]).toEqual([[], [], undefined, false]);
      expect(node === 'execute' || tools.length === 0).toBe(true);
    }
  });
});

test('#61 the same session gives the same bytes', async () => {
  const again = await session();
  const bytes = ({ turns }: Talk): string =>
    JSON.stringify(
      turns.map(({ node, prompt, output, tools, session: s }) => ({ node, prompt, output, tools, s })),
    );
  expect(bytes(again)).toBe(bytes(talk));
});

test('#60 a restart before the execution takes nothing from what it is given', async () => {
  const before = await Talk.begin(MODEL);
  await before.say('REQUEST1');
  await before.act('revise', 'CHANGE1');
  await before.act('confirm');
  await before.act('revise', 'NOTE2');
  await before.close();
  const after = await Talk.begin(MODEL, before.home.disk);
  await after.act('confirm_standard');
  expect(after.turns.map(wordsOf)).toEqual(['revisedtask1 revisedway1 REQUEST1 CHANGE1 NOTE2']);
});

describe('a replay of the journal', () => {
  async function rebuilt(of: Talk): Promise<readonly Projection[]> {
    const lane = await of.lane;
    const trace = await of.home.store.trace(lane.id, 'r1');
    return projectionsOf(confirmFirst(), initialState(), trace?.lines.flatMap(line => line.entries) ?? []);
  }

  test('rebuilds what every call was told, byte for byte', async () => {
    expect(await rebuilt(talk)).toMatchObject(
      talk.turns.map(({ effect, node, prompt: { system, user } }) => ({ effect, node, system, user })),
    );
  });

  test('proves it by the digests that the journal holds', async () => {
    const lane = await talk.lane;
    const trace = await talk.home.store.trace(lane.id, 'r1');
    const held = trace?.lines.flatMap(line =>
      line.entries.flatMap(entry => (entry.is === 'session' ? [[entry.effect, entry.projection]] : [])),
    );
    expect(held).toHaveLength(talk.turns.length);
    expect((await rebuilt(talk)).map(({ effect, digest }) => [effect, digest])).toEqual(held);
  });
});
