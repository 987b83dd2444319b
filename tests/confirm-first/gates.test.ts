import { describe, expect, test } from 'vitest';
import { Talk } from './stage.ts';

/*
 * The two gates of confirm-first and what follows them. Numbers with a # are rows of the catalogue in `catalogue.ts`.
 */

describe('the interpretation', () => {
  test('#1 the first request gives an interpretation to review, and no plan and no answer', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare three routers under 100 EUR, for nine people');
    expect(await talk.at()).toBe('check_interpretation interpretation@1');
    expect(talk.asked).toEqual(['draft_interpretation']);
    expect(talk.given('draft_interpretation').user).toContain(
      'Compare three routers under 100 EUR, for nine people',
    );
    expect(await talk.replies()).toEqual([]);
    const { title, actions } = await talk.card();
    expect(title).toBe('Prompt Pseudocode');
    expect(actions.filter(({ button }) => button).map(({ label }) => label)).toEqual([
      'Revise interpretation',
      'Confirm interpretation',
      'Stop',
    ]);
  });

  test('#2 a revision is a whole new version on the same card', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare three routers');
    const before = await talk.card();
    await talk.act('revise', 'for nine people');
    const after = await talk.card();
    expect(after).toMatchObject({ id: before.id, shown: { version: 2 }, earlier: [1], status: 'shown' });
    expect(talk.given('revise_interpretation').user).toContain('DO the task as asked 1');
    expect(talk.given('revise_interpretation').user).toContain('for nine people');
  });

  test('#3 confirmed, it is frozen, and only the plan is made', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare three routers');
    expect((await talk.act('confirm')).refused).toBeUndefined();
    expect(await talk.artifacts()).toEqual(['interpretation@1 confirmed', 'approach@1 pending']);
    expect(await talk.at()).toBe('check_approach approach@1');
    expect(talk.asked).toEqual(['draft_interpretation', 'draft_approach']);
  });

  test('#74 three revisions in a row lose nothing that was said', async () => {
    const talk = await Talk.begin({
      revise_interpretation: ({ prompt }) => {
        const [, before = ''] = /<interpretation>\n([\s\S]*)\n<\/interpretation>/.exec(prompt.user) ?? [];
        const [, change = ''] = /<change>\n([\s\S]*)\n<\/change>/.exec(prompt.user) ?? [];
        return { prompt_body: `${before}\n    WITH ${change}` };
      },
    });
    await talk.say('Compare');
    for (const words of ['a table', 'two columns', 'three rows']) await talk.act('revise', words);
    await talk.act('confirm');
    await talk.act('confirm_standard');
    const { user } = talk.given('execute');
    expect(user).toContain(
      'DO the task as asked 1\n    WITH a table\n    WITH two columns\n    WITH three rows',
    );
    expect(user).toContain(
      '<words>\na table\n</words>\n<words>\ntwo columns\n</words>\n<words>\nthree rows\n</words>',
    );
  });
});

describe('the plan', () => {
  async function planned(model: Parameters<typeof Talk.begin>[0] = {}): Promise<Talk> {
    const talk = await Talk.begin(model);
    await talk.say('Compare three routers');
    await talk.act('confirm');
    return talk;
  }

  test('has its five buttons, and names what it was made from', async () => {
    const { title, actions, from } = await (await planned()).card();
    expect(title).toBe('Response Plan Pseudocode');
    expect(actions.filter(({ button }) => button).map(({ label }) => label)).toEqual([
      'Change request',
      'Revise approach',
      'Confirm standard',
      'Confirm pseudocode',
      'Stop',
    ]);
    expect(from).toMatchObject([{ artifact: 'interpretation', version: 1 }]);
  });

  test('#4 revised, it is new as a whole, and the interpretation stays confirmed as it is', async () => {
    const talk = await planned();
    await talk.act('revise', 'qualitative only');
    expect(await talk.artifacts()).toEqual(['interpretation@1 confirmed', 'approach@2 pending']);
    expect(talk.asked).toEqual(['draft_interpretation', 'draft_approach', 'revise_approach']);
  });

  test('#5 a change request makes it invalid and leads back to the interpretation', async () => {
    const talk = await planned();
    await talk.act('change_request', 'add a database, for beginners');
    expect(await talk.artifacts()).toEqual(['interpretation@2 pending', 'approach@1 invalidated']);
    expect(await talk.at()).toBe('check_interpretation interpretation@2');
    expect(talk.given('revise_interpretation').user).not.toContain('FOLLOW');
  });

  test('#38 words that change the task are not folded into the plan: it stays, they are kept, nothing may be confirmed', async () => {
    const talk = await planned({ revise_approach: () => ({ plan_body: '' }) });
    await talk.act('revise', 'for beginners');
    const card = await talk.card();
    expect(card).toMatchObject({
      status: 'shown',
      shown: { artifact: 'approach', version: 1 },
      keptFeedback: { action: 'revise', text: 'for beginners' },
    });
    expect((await talk.act('confirm_standard')).refused?.code).toBe('wrong_state');
    await talk.act('change_request', 'for beginners');
    expect(await talk.at()).toBe('check_interpretation interpretation@2');
    await talk.act('confirm');
    await talk.act('confirm_standard');
    expect(talk.given('execute').user.match(/for beginners/g)).toHaveLength(1);
  });

  test('a change request keeps what was said about the approach', async () => {
    const talk = await planned();
    await talk.act('revise', 'primary sources only');
    await talk.act('change_request', 'for beginners');
    await talk.act('confirm');
    expect(talk.given('draft_approach').user).toContain('primary sources only');
  });

  test.each([
    ['confirm_standard', 'standard'],
    ['confirm_pseudocode', 'pseudocode'],
  ])('#6 #7 %s executes in that mode, without a third gate', async (action, mode) => {
    const talk = await planned();
    await talk.act(action);
    expect(await talk.at()).toBe('home');
    expect(talk.asked.at(-1)).toBe('execute');
    expect(talk.given('execute').user).toContain(`<output_mode>\n${mode}\n</output_mode>`);
    expect((await talk.replies()).at(-1)).toContain('The result 1.');
  });

  test('#57 the two modes differ in nothing but the mode', async () => {
    const prompts = await Promise.all(
      ['standard', 'pseudocode'].map(async mode => {
        const talk = await planned();
        await talk.act(`confirm_${mode}`);
        const { system, user } = talk.given('execute');
        return `${system}\n${user.replace(`<output_mode>\n${mode}\n`, '')}`;
      }),
    );
    expect(prompts[0]).toBe(prompts[1]);
  });

  test('a result names the versions that it was made from, and who made it', async () => {
    const talk = await planned();
    await talk.act('revise', 'qualitative only');
    await talk.act('confirm_standard');
    const lane = await talk.lane;
    const result = await talk.home.store.artifact(lane.id, 'result', 1);
    expect(result).toMatchObject({
      body: 'The result 1.',
      from: [
        { artifact: 'interpretation', version: 1 },
        { artifact: 'approach', version: 2 },
      ],
      madeBy: { node: 'execute', backend: 'script', model: 'auto', session: 's' },
    });
    expect((await talk.replies()).at(-1)).toMatch(
      /Prompt Pseudocode version 1, Response Plan Pseudocode version 2, standard/,
    );
  });
});

describe('stopping', () => {
  test('#8 in either review executes nothing', async () => {
    const first = await Talk.begin();
    await first.say('Compare');
    await first.act('stop');
    const second = await Talk.begin();
    await second.say('Compare');
    await second.act('confirm');
    await second.act('stop');
    for (const talk of [first, second]) {
      expect(await talk.at()).toBe('home');
      expect(talk.asked).not.toContain('execute');
      expect((await talk.replies()).at(-1)).toBe('Stopped. Nothing was executed.');
      expect((await talk.artifacts()).every(one => one.endsWith(' closed'))).toBe(true);
    }
  });

  test('#75 and then asking for something else carries nothing over', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare the POISON routers');
    await talk.act('revise', 'POISON please');
    await talk.act('stop');
    const before = talk.turns.length;
    await talk.say('Write a poem');
    await talk.act('confirm');
    await talk.act('confirm_standard');
    const prompts = talk.turns.slice(before).map(({ prompt }) => prompt.user);
    expect(prompts.join('\n')).not.toContain('POISON');
  });
});

describe('the next task', () => {
  async function finished(): Promise<Talk> {
    const talk = await Talk.begin({
      execute: (_turn, number) => ({ body: `const exact = "${number}";\r\n\tline two ` }),
    });
    await talk.say('Write the code');
    await talk.act('confirm');
    await talk.act('confirm_standard');
    return talk;
  }

  test('#11 #12 begins at a fresh interpretation, with nothing confirmed', async () => {
    const talk = await finished();
    await talk.say('make it half as long');
    expect(await talk.at()).toBe('check_interpretation interpretation@2');
    expect(await talk.artifacts()).toEqual(['interpretation@2 pending']);
    expect(talk.asked.filter(node => node === 'execute')).toHaveLength(1);
  });

  test('#76 #63 knows the last request and result byte for byte, where it is drafted and where it is done', async () => {
    const talk = await finished();
    await talk.say('now with a test');
    const background =
      '<last_request>\nWrite the code\n</last_request>\n\n<last_result>\nconst exact = "1";\r\n\tline two \n</last_result>';
    expect(talk.given('draft_interpretation').user).toContain(background);
    await talk.act('confirm');
    expect(talk.given('draft_approach').user).not.toContain('const exact');
    await talk.act('confirm_standard');
    expect(talk.given('execute').user).toContain(background);
  });
});
