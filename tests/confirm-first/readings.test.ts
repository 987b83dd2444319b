import { describe, expect, test } from 'vitest';
import { CASES, type Case, CONTRADICTIONS, type Reading } from './readings.ts';
import { Talk } from './stage.ts';

/* What is typed at a review: the reader says what it asks for, and the declared order of the actions decides. */

async function reviewing(at: Case['at'], reading: Reading): Promise<Talk> {
  const talk = await Talk.begin({
    read_message: () => ({
      ...reading,
      task: [...(reading.task ?? [])],
      approach: [...(reading.approach ?? [])],
    }),
  });
  await talk.say('Compare three routers');
  if (at === 'approach') await talk.act('confirm');
  return talk;
}

/** Where the person is, what counts, and what the bot said last, once a message was read. */
async function after(talk: Talk, text: string): Promise<string> {
  const before = { asked: talk.asked.length, at: await talk.at(), replies: (await talk.replies()).length };
  expect((await talk.type(text)).refused).toBeUndefined();
  const asked = talk.asked.slice(before.asked);
  return outcomeOf(talk, before, asked);
}

async function outcomeOf(
  talk: Talk,
  before: { readonly at: string; readonly replies: number },
  asked: readonly string[],
): Promise<string> {
  const [reader, next] = asked;
  if (reader !== 'read_message') return `${reader ?? 'nobody'} was asked first`;
  const at = await talk.at();
  const [last, ...more] = (await talk.replies()).slice(before.replies);
  if (at === before.at) {
    if (next === 'answer_protocol') return last === 'ENDIF ends an IF.' ? 'aside' : 'no answer';
    if (next !== undefined || more.length > 0) return `${next} was asked and nothing moved`;
    if (last === undefined) return 'noted';
    return last.startsWith('It is not clear')
      ? 'unclear'
      : last.startsWith('That is answered by')
        ? 'later'
        : last;
  }
  if (next === 'draft_interpretation') return 'fresh';
  if (next === undefined) return at === 'home' && last?.startsWith('Stopped.') === true ? 'stop' : at;
  const shown = before.at.startsWith('check_interpretation') ? 'interpretation' : 'approach';
  if (next === `revise_${shown}`) return 'revise';
  if (next === 'revise_interpretation') return 'task';
  return next === 'draft_approach' || next === 'execute' ? 'confirm' : next;
}

describe.each(['interpretation', 'approach'] as const)('at the %s', at => {
  test.each(
    CASES.filter(one => one.at === at).map(one => ({
      ...one,
      row: one.row === undefined ? '' : `#${one.row} `,
    })),
  )('$row$text', async ({ text, reading, comes }) => {
    const talk = await reviewing(at, reading);
    expect(await after(talk, text)).toBe(comes);
    expect(talk.given('read_message').user).toContain(`<message>\n${text}\n</message>`);
  });
});

test.each(CONTRADICTIONS)('%s goes nowhere that nobody wanted', async (_, reading, comes) => {
  const talk = await reviewing('approach', reading);
  expect(await after(talk, 'whatever')).toBe(comes);
  expect(talk.asked).not.toContain('execute');
});

test('words that change the task go to whoever writes it, and later to the execution, as they are', async () => {
  const talk = await reviewing('approach', { kind: 'review', task: ['audience'], progression: true });
  const words = 'Fine, but "for executives"\n\tplease';
  await talk.type(words);
  expect(talk.given('revise_interpretation').user).toContain(`<change>\n${words}\n</change>`);
  await talk.act('confirm');
  await talk.act('confirm_standard');
  expect(talk.given('execute').user).toContain(`<words>\n${words}\n</words>`);
});

test('a note for the approach makes no new version, and reaches the plan', async () => {
  const talk = await reviewing('interpretation', { kind: 'review', approach: ['method'] });
  await talk.type('primary sources only');
  expect(await talk.artifacts()).toContain('interpretation@1 pending');
  await talk.act('confirm');
  expect(talk.given('draft_approach').user).toContain('<words>\nprimary sources only\n</words>');
});

test('a new task carries nothing of the old one', async () => {
  const talk = await reviewing('approach', { kind: 'new_task' });
  await talk.type('Write a poem');
  const { user } = talk.given('draft_interpretation');
  expect(user).toContain('<request>\nWrite a poem\n</request>');
  expect(user).not.toContain('routers');
  expect(await talk.artifacts()).toEqual(['interpretation@2 pending']);
});
