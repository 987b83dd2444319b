import type { BackendEvent } from '@hearth/engine/backend.ts';
import { drafted } from '@hearth/engine/testing/review-plan.ts';
import { describe, expect, it } from 'vitest';
import { put, travellers } from './portable.ts';
import { DAY_MS } from './retention.ts';
import { epochPath } from './testing/lanes.ts';
import {
  act,
  cardOf,
  decide,
  openIn,
  type ReviewHome,
  reviewHome,
  standing,
  toCard,
} from './testing/review-home.ts';
import { ada, HOME, message, session, textOfFile } from './testing/sample-home.ts';

/*
 * Faults that comparable systems had in public (by their numbers, B) and that were found in the protocol that reviews follow
 * (by theirs, S): what a person did not confirm never happens, and what a person did is never lost.
 */

const bare = () => ({ commandId: message('').commandId, actor: ada });

/** The same home after the power was cut. */
async function afterCrash(before: ReviewHome, doing?: Parameters<typeof reviewHome>[0]) {
  return reviewHome({ disk: before.home.disk.crash({ seed: 1 }), ran: before.ran, ...doing });
}

it('B02: only a confirmation that names the version on screen confirms, whatever else is said, waited for or broken off', async () => {
  const made = await reviewHome();
  const { home, lane } = made;
  await toCard(lane);
  for (const text of ['ok', 'yes do it', '/confirm']) {
    const reply = await lane.send(message(text));
    expect(reply.receipt?.did.as).toBe('queued');
  }
  (await lane.attach(null, () => undefined))();
  home.clock.advance(3 * DAY_MS);
  await lane.settled();
  const { lane: again } = await afterCrash(made);
  expect(standing(again)).toEqual(['task@1 pending']);
  expect(made.ran).toEqual(['draft_task']);
  await decide(again, cardOf(again), { do: 'act', action: 'confirm' });
  expect(made.ran).toEqual(['draft_task', 'draft_plan']);
  expect(standing(again)).toEqual(['task@1 confirmed', 'plan@1 pending']);
});

it('B04: a revision keeps the gate and makes the whole anew, and the version before cannot be confirmed; stop closes', async () => {
  const { lane } = await reviewHome();
  const first = await toCard(lane);
  await act(lane, 'revise', 'shorter');
  expect(cardOf(lane)).toMatchObject({ id: first.id, shown: { version: 2 }, status: 'shown' });
  const late = await decide(lane, first, { do: 'act', action: 'confirm' });
  expect(late.refused?.code).toBe('stale_version');
  expect(late.view.pauses).toMatchObject([{ id: first.id, shown: { version: 2 } }]);
  const version = await lane.artifact('task', 2);
  expect(version).toMatchObject({
    body: 'DO draft_task 2',
    feedback: 'shorter',
    madeBy: { node: 'draft_task', backend: 'script', model: 'auto', session: 's' },
  });
  await act(lane, 'stop');
  expect(openIn(lane)).toEqual(['chat']);
  expect(standing(lane)).toEqual(['task@2 closed']);
});

it('B06: a card outlives a restart under its id; an unknown one and one that is closed are refused, with who closed it', async () => {
  const made = await reviewHome();
  const card = await toCard(made.lane);
  const { lane } = await afterCrash(made);
  expect(cardOf(lane)).toEqual(card);
  const nothing = { ...card, id: 'p99' as const };
  expect((await decide(lane, nothing, { do: 'act', action: 'confirm' })).refused?.code).toBe('unknown_pause');
  await decide(lane, card, { do: 'act', action: 'confirm' });
  const second = await decide(lane, card, { do: 'act', action: 'stop' });
  expect(second.refused).toMatchObject({ code: 'closed', by: { name: 'ada' }, action: 'confirm' });
});

it('B07: of two people who decide at once one decides, and the other is told who did and what is shown now', async () => {
  const { lane } = await reviewHome();
  const card = await toCard(lane);
  const eve = { kind: 'person', name: 'eve', surface: 'studio' } as const;
  const [one, two] = await Promise.all([
    decide(lane, card, { do: 'act', action: 'confirm' }),
    lane.decide({
      commandId: message('').commandId,
      actor: eve,
      pause: card.id,
      artifact: 'task',
      version: 1,
      act: { do: 'act', action: 'stop' },
    }),
  ]);
  expect(one.receipt?.did.as).toBe('confirmed');
  expect(two.refused).toMatchObject({ code: 'closed', by: { name: 'ada' } });
  expect(standing(lane)).toEqual(['task@1 confirmed', 'plan@1 pending']);
});

it('B09: an interrupt decides nothing at a card, a turn that is given up leaves nothing open, and the next message is heard', async () => {
  const { lane } = await reviewHome();
  await toCard(lane);
  const { turn, run } = lane.view();
  const refused = await lane.interrupt({ ...bare(), turn: turn?.id ?? 't0' });
  expect(refused.refused?.code).toBe('wrong_state');
  expect(openIn(lane)).toEqual(['card']);
  await lane.operate('cancel', { ...bare(), run: run?.id ?? 'r0' });
  await lane.settled();
  expect(openIn(lane)).toEqual([]);
  await lane.send(message('hello'));
  await lane.settled();
  expect(cardOf(lane)).toMatchObject({ shown: { artifact: 'task', version: 2 } });
});

it('B10: a message at a card begins no run and ends none: it waits, and is heard when the card is done with', async () => {
  const { lane } = await reviewHome();
  await toCard(lane);
  const run = lane.view().run?.id;
  expect((await lane.send(message('blue'))).receipt?.did.as).toBe('queued');
  await lane.settled();
  expect(lane.view()).toMatchObject({ run: { id: run }, queue: [{ head: 'blue' }] });
  await act(lane, 'stop');
  expect(lane.view().queue).toEqual([]);
  expect(cardOf(lane)).toMatchObject({ shown: { version: 2 } });
});

it('S2: the second of two quick confirmations confirms nothing that was not shown', async () => {
  const { lane, ran } = await reviewHome();
  const card = await toCard(lane);
  const confirm = { do: 'act', action: 'confirm' } as const;
  const replies = await Promise.all([decide(lane, card, confirm), decide(lane, card, confirm)]);
  expect(replies.map(({ refused }) => refused?.code ?? 'accepted')).toEqual(['accepted', 'closed']);
  const plan = cardOf(lane);
  const crossed = await decide(lane, { ...card, id: plan.id }, { do: 'act', action: 'standard' });
  expect(crossed.refused?.code).toBe('wrong_artifact');
  expect(ran).toEqual(['draft_task', 'draft_plan']);
  expect(standing(lane)).toEqual(['task@1 confirmed', 'plan@1 pending']);
});

it('S2: a decision that is sent again is the same one, and another under its id is refused', async () => {
  const { lane, ran } = await reviewHome();
  const card = await toCard(lane);
  const { commandId } = message('');
  const first = await decide(lane, card, { do: 'act', action: 'confirm' }, { commandId });
  const again = await decide(lane, card, { do: 'act', action: 'confirm' }, { commandId });
  expect(again).toMatchObject({ replayed: true, receipt: first.receipt });
  const other = await decide(lane, card, { do: 'act', action: 'stop' }, { commandId });
  expect(other.refused?.code).toBe('command_conflict');
  expect(ran).toEqual(['draft_task', 'draft_plan']);
});

it('S3: what was decided at a card that is closed begins nothing', async () => {
  const { lane, ran } = await reviewHome();
  const card = await toCard(lane);
  await act(lane, 'stop');
  expect((await decide(lane, card, { do: 'act', action: 'confirm' })).refused?.code).toBe('closed');
  expect(ran).toEqual(['draft_task']);
  expect(openIn(lane)).toEqual(['chat']);
});

describe('a text that is changed where it is stored', () => {
  const change = async ({ home, lane }: ReviewHome, name: string, from: string, to: string) => {
    const path = `${epochPath(lane.id)}/artifacts/${name}/1.json`;
    const text = await textOfFile(home.disk, path);
    expect(text).toContain(from);
    await home.disk.write(path, new TextEncoder().encode(text.replace(from, to)));
  };

  it('cannot be confirmed, but revised', async () => {
    const made = await reviewHome();
    const { lane } = made;
    const card = await toCard(lane);
    await change(made, 'task', 'DO draft_task 1', 'DO harm');
    expect((await act(lane, 'confirm')).refused?.code).toBe('digest_mismatch');
    expect((await decide(lane, card, { do: 'say', text: 'yes' })).refused?.code).toBe('digest_mismatch');
    expect(await lane.artifact('task', 1)).toBeNull();
    expect(standing(lane)).toEqual(['task@1 pending']);
    await act(lane, 'revise', 'anew');
    expect((await act(lane, 'confirm')).refused).toBeUndefined();
  });

  it('is not acted on when it was confirmed, and is once it is what it was', async () => {
    const made = await reviewHome();
    const { lane, ran } = made;
    await toCard(lane, 'plan');
    await change(made, 'task', 'DO draft_task 1', 'DO harm');
    await act(lane, 'standard');
    expect(ran).not.toContain('execute');
    const [guard] = lane.view().pauses;
    expect(guard).toMatchObject({ kind: 'recovery', cause: 'guard', node: 'execute' });
    if (guard === undefined) throw new Error('nothing is open');
    await decide(lane, guard, { do: 'answer', option: 'again' });
    expect(ran).not.toContain('execute');
    await change(made, 'task', 'DO harm', 'DO draft_task 1');
    await decide(lane, lane.view().pauses[0] ?? guard, { do: 'answer', option: 'again' });
    expect(ran.filter(node => node === 'execute')).toHaveLength(1);
    expect(openIn(lane)).toEqual(['chat']);
  });
});

describe('S15: a redraft that fails after a change request', () => {
  const failing: BackendEvent = { type: 'failed', code: 'auth', message: 'no key', began: true };
  const doing = (fails: () => boolean) => ({
    doing: ({ node }: { node: string }, nth: number) =>
      node === 'draft_task' && nth > 1 && fails() ? failing : null,
  });

  it('leaves nothing that could be done, keeps the words, and waits for the person, over a restart too', async () => {
    let fails = true;
    const first = await reviewHome(doing(() => fails));
    await toCard(first.lane, 'plan');
    await act(first.lane, 'change', 'for two');
    const { lane, ran } = await afterCrash(
      first,
      doing(() => fails),
    );
    expect(standing(lane)).toEqual(['task@1 pending', 'plan@1 invalidated']);
    const [pause] = lane.view().pauses;
    if (pause?.kind !== 'recovery') throw new Error('no recovery');
    expect(pause).toMatchObject({ cause: 'draft_failed', code: 'auth' });
    expect(pause.choices.map(({ id }) => id)).toEqual(['again', 'withdraw', 'stop']);
    fails = false;
    await decide(lane, pause, { do: 'answer', option: 'again' });
    expect(cardOf(lane)).toMatchObject({ shown: { artifact: 'task', version: 2 } });
    expect((await lane.artifact('task', 2))?.feedback).toBe('for two');
    expect(ran).not.toContain('execute');
  });

  it('may be withdrawn: both are pending again, and each wants a confirmation of its own', async () => {
    const { lane, ran } = await reviewHome(doing(() => true));
    await toCard(lane, 'plan');
    await act(lane, 'change', 'for two');
    const [pause] = lane.view().pauses;
    if (pause === undefined) throw new Error('nothing is open');
    await decide(lane, pause, { do: 'answer', option: 'withdraw' });
    expect(standing(lane)).toEqual(['task@1 pending', 'plan@1 pending']);
    expect(cardOf(lane)).toMatchObject({ shown: { artifact: 'task', version: 1 }, status: 'shown' });
    await act(lane, 'confirm');
    expect(cardOf(lane)).toMatchObject({ shown: { artifact: 'plan', version: 2 } });
    expect(ran).not.toContain('execute');
  });

  it('may be stopped from the card that it was asked at', async () => {
    const { lane } = await reviewHome(doing(() => true));
    await toCard(lane);
    await act(lane, 'revise', 'for two');
    expect(openIn(lane)).toEqual(['card', 'recovery']);
    expect(cardOf(lane)).toMatchObject({ status: 'drafting', keptFeedback: { text: 'for two' } });
    await act(lane, 'stop');
    expect(openIn(lane)).toEqual(['chat']);
    expect(standing(lane)).toEqual(['task@1 closed']);
  });
});

it('S16: a change that was pending at a crash keeps the version before from being confirmed', async () => {
  const begun = Promise.withResolvers<void>();
  async function* hangs(): AsyncGenerator<BackendEvent> {
    yield session;
    begun.resolve();
    await new Promise(() => undefined);
  }
  const first = await reviewHome({
    doing: ({ node }, nth) => (node === 'draft_task' && nth === 2 ? hangs() : null),
  });
  const card = await toCard(first.lane);
  await first.lane.decide({
    ...bare(),
    pause: card.id,
    artifact: 'task',
    version: 1,
    act: { do: 'act', action: 'revise', feedback: 'for two' },
  });
  await begun.promise;
  const { lane, ran } = await afterCrash(first);
  expect(openIn(lane)).toEqual(['card', 'recovery']);
  expect((await decide(lane, card, { do: 'act', action: 'confirm' })).refused?.code).toBe('busy');
  const recovery = lane.view().pauses.find(({ kind }) => kind === 'recovery');
  expect(recovery).toMatchObject({ cause: 'interrupted' });
  // Passing words may not become the authority of a draft.
  expect((await lane.send(message('go on'))).receipt?.did.as).toBe('queued');
  expect(ran.filter(node => node === 'draft_task')).toHaveLength(2);
  if (recovery === undefined) throw new Error('no recovery');
  await decide(lane, recovery, { do: 'answer', option: 'again' });
  expect(cardOf(lane)).toMatchObject({ id: card.id, shown: { version: 2 }, status: 'shown' });
});

describe('what leaves and comes back', () => {
  it('is protected by an open card', async () => {
    const { home, lane } = await reviewHome();
    await toCard(lane);
    home.clock.advance(400 * DAY_MS);
    const { choices } = await home.conversations.plan();
    expect(choices.map(({ reason }) => reason)).toEqual(['default']);
    const { view } = await home.conversations.create({
      ...bare(),
      title: 'other',
      scope: { kind: 'global' },
    });
    const other = await home.conversations.lane(view.id);
    await toCard(other);
    home.clock.advance(400 * DAY_MS);
    const reasons = (await home.conversations.plan()).choices.map(choice => choice.reason);
    expect(reasons.toSorted()).toEqual(['default', 'owing']);
  });

  it('has its card closed by a reset, and never reuses a version', async () => {
    const { lane } = await reviewHome();
    const card = await toCard(lane);
    const running = await lane.reset(bare());
    expect(running.refused).toBeUndefined();
    expect(openIn(lane)).toEqual([]);
    expect((await decide(lane, card, { do: 'act', action: 'confirm' })).refused?.code).toBe('closed');
    await lane.send(message('anew'));
    await lane.settled();
    expect(cardOf(lane)).toMatchObject({ shown: { version: 2 }, earlier: [] });
  });

  it('has its card as it was, out of the trash and from another home', async () => {
    const { home } = await reviewHome();
    const made = await home.conversations.create({ ...bare(), title: 'other', scope: { kind: 'global' } });
    const lane = await home.conversations.lane(made.view.id);
    const card = await toCard(lane);
    await home.conversations.close(lane.id, bare());
    const [entry] = await home.conversations.trash();
    await home.conversations.restore(entry?.name ?? '', bare());
    const back = await home.conversations.lane(made.view.id);
    expect(cardOf(back)).toEqual(card);
    await back.close();
    const root = `${HOME}/conversations/${made.view.id}`;
    const files = await travellers(home.disk, root);
    expect(files).toContain('epochs/1/artifacts/task/1.json');
    const there = await reviewHome();
    const wanted = 'c_01jabcdefghjkmnpqrstvwxyz0';
    await there.home.conversations.import(bare(), wanted, async directory => {
      for (const path of files)
        await put(
          there.home.disk,
          directory,
          path,
          (await home.disk.read(`${root}/${path}`)) ?? new Uint8Array(),
        );
    });
    const arrived = await there.home.conversations.lane(wanted);
    expect(cardOf(arrived)).toMatchObject({ id: card.id, shown: card.shown });
    await act(arrived, 'confirm');
    await act(arrived, 'standard');
    expect(there.ran).toEqual(['draft_plan', 'execute']);
  });
});

it('tells in the audit what was refused at a card and what came too late, by ids and digests', async () => {
  const gate = Promise.withResolvers<void>();
  async function* late(): AsyncGenerator<BackendEvent> {
    yield session;
    await gate.promise;
    yield { type: 'done', output: drafted('DO harm'), text: '' };
  }
  const made = await reviewHome({
    doing: ({ node }, nth) => (node === 'draft_task' && nth === 2 ? late() : null),
  });
  const { home, lane } = made;
  // A backend that takes no notice of an interrupt.
  const start = home.backend.start.bind(home.backend);
  home.backend.start = (turn, host, signal) => {
    const run = start(turn, host, signal);
    return {
      [Symbol.asyncIterator]: () => run[Symbol.asyncIterator](),
      offer: () => undefined,
      interrupt: () => Promise.resolve(),
    };
  };
  const card = await toCard(lane);
  await decide(lane, card, { do: 'act', action: 'confirm' }, { version: 7 });
  const shown = { artifact: 'task', version: 1 };
  await lane.decide({
    ...bare(),
    pause: card.id,
    ...shown,
    act: { do: 'act', action: 'revise', feedback: 'a wish' },
  });
  await lane.decide({ ...bare(), pause: card.id, ...shown, act: { do: 'act', action: 'stop' } });
  gate.resolve();
  await lane.settled();
  const lines = await lane.audited();
  expect(lines).toMatchObject([
    { code: 'stale_version', pause: card.id, action: 'confirm', shown: { artifact: 'task', version: 7 } },
    { code: 'discarded', command: 'draft', shown: { artifact: 'task' } },
  ]);
  expect(lines[1]?.payload).toMatch(/^sha256:/);
  expect(JSON.stringify(lines)).not.toMatch(/DO harm|a wish/);
  expect(standing(lane)).toEqual(['task@1 closed']);
  const { items } = await lane.history(null, 100);
  const decided = items.filter(line => line.is === 'decided');
  expect(decided).toMatchObject([
    {
      pause: card.id,
      how: 'acted',
      option: 'revise',
      text: 'a wish',
      shown: { artifact: 'task', version: 1 },
    },
    { pause: card.id, how: 'acted', option: 'stop', shown: { artifact: 'task', version: 1 } },
  ]);
});
