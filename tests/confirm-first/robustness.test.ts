import { ada, message } from '@hearth/conversations/testing/sample-home.ts';
import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import { describe, expect, test } from 'vitest';
import { type Model, Talk } from './stage.ts';

/* Doubled, late and stale decisions, crashes and failures, over the whole bot. Rows of `catalogue.ts` have a #. */

async function planned(model: Model = {}): Promise<Talk> {
  const talk = await Talk.begin(model);
  await talk.say('Compare three routers');
  await talk.act('confirm');
  return talk;
}

const FAIL = [{ type: 'failed', code: 'auth', message: 'No key.', began: false }] as const;

describe('decisions', () => {
  test('#9 a confirmation of an older version is stale, and the current one stays pending', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare');
    await talk.act('revise', 'nine people');
    const { refused, view } = await talk.decide({ do: 'act', action: 'confirm' }, { version: 1 });
    expect(refused?.code).toBe('stale_version');
    expect(view.pauses).toMatchObject([{ kind: 'card', shown: { version: 2 } }]);
    expect(await talk.artifacts()).toEqual(['interpretation@2 pending']);
  });

  test('#64 two confirmations at once make one transition, and the plan waits unconfirmed', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare');
    const { id, shown } = await talk.card();
    const lane = await talk.lane;
    const click = (n: number) =>
      lane.decide({
        commandId: `double-click-000${n}`,
        pause: id,
        artifact: shown.artifact,
        version: shown.version,
        act: { do: 'act', action: 'confirm' },
        actor: ada,
      });
    const replies = await Promise.all([click(1), click(2)]);
    await talk.rest();
    expect(replies.map(({ refused }) => refused?.code ?? 'accepted').sort()).toEqual(['accepted', 'closed']);
    expect(await talk.at()).toBe('check_approach approach@1');
    expect(talk.asked).not.toContain('execute');
  });

  test('#65 #66 the same command again is the first receipt, and with another payload a conflict', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare');
    const { id, shown } = await talk.card();
    const lane = await talk.lane;
    const command = {
      commandId: 'one-command-0001',
      pause: id,
      artifact: shown.artifact,
      version: shown.version,
      actor: ada,
    };
    const first = await lane.decide({ ...command, act: { do: 'act', action: 'confirm' } });
    await talk.rest();
    const again = await lane.decide({ ...command, act: { do: 'act', action: 'confirm' } });
    expect(again).toMatchObject({ replayed: true, receipt: first.receipt });
    const other = await lane.decide({ ...command, act: { do: 'act', action: 'stop' } });
    expect(other.refused?.code).toBe('command_conflict');
    await talk.rest();
    expect(await talk.at()).toBe('check_approach approach@1');
    expect(talk.asked).toEqual(['draft_interpretation', 'draft_approach']);
  });

  test('#67 what a second surface confirms after the first has revised is refused', async () => {
    const talk = await planned();
    const seenByB = await talk.card();
    await talk.act('revise', 'other sources');
    const { refused } = await (await talk.lane).decide({
      commandId: 'second-tab-000001',
      pause: seenByB.id,
      artifact: seenByB.shown.artifact,
      version: seenByB.shown.version,
      act: { do: 'act', action: 'confirm_standard' },
      actor: { ...ada, surface: 'studio' },
    });
    expect(refused?.code).toBe('stale_version');
    expect(talk.asked).not.toContain('execute');
  });

  test('#24 silence and blanks change nothing and ask no model', async () => {
    const talk = await planned();
    const before = await talk.artifacts();
    for (const words of ['', '   ', '\n\t'])
      expect((await talk.type(words)).refused?.code).toBe('feedback_required');
    talk.home.clock.advance(3 * 24 * 3_600_000);
    await talk.rest();
    expect([await talk.at(), await talk.artifacts()]).toEqual(['check_approach approach@1', before]);
    expect(talk.asked).toEqual(['draft_interpretation', 'draft_approach']);
  });

  test('a confirmation with words is a revision; where two revise, it is asked which', async () => {
    const talk = await Talk.begin();
    await talk.say('Compare');
    await talk.act('confirm', 'but for nine people');
    expect(await talk.at()).toBe('check_interpretation interpretation@2');
    await talk.act('confirm');
    expect((await talk.act('confirm_standard', 'but shorter')).refused?.code).toBe('kind_required');
    expect(talk.asked).not.toContain('execute');
  });

  test('#62 a button is no message: nobody is told its label', async () => {
    const talk = await planned();
    await talk.act('revise', 'other sources');
    await talk.act('confirm_standard');
    const said = (await talk.lines()).filter(line => line.is === 'said');
    expect(said).toHaveLength(1);
    const all = talk.turns.flatMap(({ node, prompt }) => (node === 'execute' ? [prompt.user] : []));
    for (const label of ['Confirm standard', 'Revise approach', 'confirm_standard', 'Confirm interpretation'])
      expect(all.join('\n')).not.toContain(label);
  });
});

describe('failures', () => {
  test('#70 a redraft that fails keeps the words and blocks the execution', async () => {
    const talk = await planned({ revise_interpretation: () => FAIL });
    await talk.act('change_request', 'for executives');
    expect(await talk.open()).toMatchObject({ kind: 'recovery', cause: 'draft_failed' });
    await talk.decide({ do: 'answer', option: 'again' });
    expect(await talk.open()).toMatchObject({ kind: 'recovery', cause: 'draft_failed' });
    expect(await talk.artifacts()).toEqual(['interpretation@1 pending', 'approach@1 invalidated']);
    expect(talk.asked).not.toContain('execute');
    expect(talk.given('revise_interpretation').user).toContain('for executives');
    await talk.decide({ do: 'answer', option: 'withdraw' });
    expect(await talk.artifacts()).toEqual(['interpretation@1 pending', 'approach@1 pending']);
    expect(talk.asked).not.toContain('execute');
  });

  test('#68 a change that was recorded before a crash blocks the confirmation after it', async () => {
    const begun = Promise.withResolvers<void>();
    const talk = await planned({
      revise_approach: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    const card = await talk.card();
    await (await talk.lane).decide({
      commandId: 'before-the-crash1',
      pause: card.id,
      artifact: 'approach',
      version: 1,
      act: { do: 'act', action: 'revise', feedback: 'other sources' },
      actor: ada,
    });
    await begun.promise;
    const disk = talk.home.disk.crash({ seed: 1 });
    const again = await Talk.begin({}, disk);
    const { refused } = await (await again.lane).decide({
      commandId: 'after-the-crash-1',
      pause: card.id,
      artifact: 'approach',
      version: 1,
      act: { do: 'act', action: 'confirm_standard' },
      actor: ada,
    });
    expect(refused?.code).toMatch(/busy|wrong_state|closed/);
    expect(again.asked).not.toContain('execute');
  });

  test('#69 a confirmed text that was edited where it is stored is not executed', async () => {
    const talk = await planned();
    const lane = await talk.lane;
    const path = `/hearth/conversations/${lane.id}/epochs/1/artifacts/interpretation/1.json`;
    const stored: ArtifactVersion = JSON.parse(
      new TextDecoder().decode((await talk.home.disk.read(path)) ?? undefined),
    );
    await talk.home.disk.write(
      path,
      new TextEncoder().encode(JSON.stringify({ ...stored, body: 'DELETE everything' })),
    );
    await talk.act('confirm_standard');
    expect(await talk.open()).toMatchObject({ kind: 'recovery', cause: 'guard' });
    expect(talk.asked).not.toContain('execute');
  });

  test('#71 what a model says after a stop is not taken', async () => {
    const begun = Promise.withResolvers<void>();
    const late = Promise.withResolvers<{ plan_body: string }>();
    const talk = await planned({
      revise_approach: () => {
        begun.resolve();
        return late.promise;
      },
    });
    const lane = await talk.lane;
    const { id, shown } = await talk.card();
    const decide = (n: number, action: string, feedback?: string) =>
      lane.decide({
        commandId: `stop-while-drafting-${n}`,
        pause: id,
        artifact: shown.artifact,
        version: shown.version,
        act: { do: 'act', action, ...(feedback === undefined ? {} : { feedback }) },
        actor: ada,
      });
    await decide(1, 'revise', 'other sources');
    await begun.promise;
    expect((await talk.card()).status).toBe('drafting');
    expect((await decide(2, 'stop')).refused).toBeUndefined();
    late.resolve({ plan_body: 'FOLLOW the late way' });
    await talk.rest();
    expect(await talk.at()).toBe('home');
    expect(await talk.artifacts()).toEqual(['interpretation@1 closed', 'approach@1 closed']);
  });

  test('#73 an interrupted execution leaves the last result as it was', async () => {
    const begun = Promise.withResolvers<void>();
    const talk = await planned({
      execute: (_turn, number) => {
        if (number === 1) return {};
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    await talk.act('confirm_standard');
    const first = (await talk.replies()).at(-1);
    await talk.say('another one');
    await talk.act('confirm');
    const lane = await talk.lane;
    const { id, shown } = await talk.card();
    await lane.decide({
      commandId: 'second-execution-1',
      pause: id,
      artifact: shown.artifact,
      version: shown.version,
      act: { do: 'act', action: 'confirm_standard' },
      actor: ada,
    });
    await begun.promise;
    const { turn } = lane.view();
    await lane.interrupt({ commandId: 'interrupt-it-0001', turn: turn?.id ?? 't0', actor: ada });
    await talk.rest();
    expect([await talk.at(), (await talk.replies()).at(-1)]).toEqual([
      'home',
      'Stopped while it was being executed. What was already done is not undone.',
    ]);
    expect(await talk.replies()).toContain(first);
    await talk.say('and then');
    expect(talk.given('draft_interpretation').user).toContain('<last_result>\nThe result 1.\n</last_result>');
  });

  test('#77 after a restart the gate is open as it was', async () => {
    const talk = await planned();
    const before = await talk.card();
    await talk.close();
    const again = await Talk.begin({}, talk.home.disk);
    expect(await again.card()).toEqual(before);
    await again.act('confirm_standard');
    expect(await again.at()).toBe('home');
  });

  test('#80 a plan of an interpretation that changed since cannot be executed', async () => {
    const talk = await planned({ revise_interpretation: () => FAIL });
    const card = await talk.card();
    await talk.act('change_request', 'for executives');
    const { refused } = await (await talk.lane).decide({
      commandId: 'the-old-plan-0001',
      pause: card.id,
      artifact: 'approach',
      version: 1,
      act: { do: 'act', action: 'confirm_standard' },
      actor: ada,
    });
    expect(refused?.code).toMatch(/busy|closed|wrong_state/);
    expect(talk.asked).not.toContain('execute');
  });
});

describe('sizes and characters', () => {
  test('#81 a hundred notes and a text of a megabyte reach the execution whole', async () => {
    const long = `DO it\n${'    WITH one more line of the text\n'.repeat(30_000)}END of the text`;
    const talk = await planned({ revise_interpretation: () => ({ prompt_body: long }) });
    for (let n = 1; n <= 100; n += 1) await talk.act('revise', `note number ${n}`);
    await talk.act('change_request', 'longer');
    await talk.act('confirm');
    await talk.act('confirm_standard');
    const { user } = talk.given('execute');
    expect(user).toContain(`<interpretation>\n${long}\n</interpretation>`);
    for (let n = 1; n <= 100; n += 1) expect(user).toContain(`<words>\nnote number ${n}\n</words>`);
  });

  test.each(['a\r\nb', 'zero\u200bwidth', 'e\u0301 and \u00e9', '\ufeffmarked', '😀 \ud83d'])(
    '#82 %j is stored, digested and handed on as it is',
    async body => {
      const talk = await Talk.begin({ draft_interpretation: () => ({ prompt_body: `DO ${body}` }) });
      await talk.say(`Words: ${body}`);
      await talk.act('confirm');
      await talk.act('confirm_standard');
      expect(talk.given('execute').user).toContain(`DO ${body}`);
      expect(await talk.at()).toBe('home');
    },
  );
});

test('a message that is typed while a card is open waits and decides nothing', async () => {
  const talk = await planned();
  await (await talk.lane).send(message('Confirmed.'));
  await talk.rest();
  expect(await talk.at()).toBe('check_approach approach@1');
  expect((await talk.view()).queue).toHaveLength(1);
});
