import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { expect, it } from 'vitest';
import { DAY_MS } from './retention.ts';
import { STANDARD_RETENTION } from './retention-report.ts';
import { laneOf, seqs } from './testing/lanes.ts';
import { ada, echo, message, session, started } from './testing/sample-home.ts';

/* Faults that comparable systems had in public, by their numbers, at the level of a home. */

const bare = () => ({ commandId: message('').commandId, actor: ada });
const cursors = (frames: readonly Frame[]) =>
  frames.flatMap(frame => (frame.frame === 'event' ? [frame.cursor] : []));
const events = (frames: readonly Frame[]) => frames.filter(({ frame }) => frame === 'event');

/** Asks its person a question, and answers when it has an answer. */
async function* asking(turn: {
  answers: readonly unknown[];
  prompt: { user: string };
}): AsyncGenerator<BackendEvent> {
  if (turn.answers.length > 0 || !turn.prompt.user.includes('ask')) {
    yield* echo(turn as Parameters<typeof echo>[0]);
    return;
  }
  yield session;
  const options = ['x', 'y'].map(id => ({ id, label: id }));
  yield { type: 'parked', asks: [{ text: 'Which?', options, allowFreeText: false }], permits: [] };
}

it.each([1, 2, 3, 7])(
  'B15: a stream that breaks after every %i events and comes back loses and doubles nothing',
  async k => {
    const lane = await laneOf(await started());
    const whole: Frame[] = [];
    await lane.attach(null, frame => whole.push(frame));
    const pieces: Frame[] = [];
    /** Takes `k` events after the last one and drops what else comes. */
    const follow = async (): Promise<() => void> => {
      const enough = pieces.length + k;
      return lane.attach(cursors(pieces).at(-1) ?? null, frame => {
        if (pieces.length < enough && frame.frame === 'event') pieces.push(frame);
      });
    };
    let off = await follow();
    for (let turn = 0; turn < 4; turn += 1) {
      await lane.send(message(`no ${turn}`));
      off();
      off = await follow();
      await lane.settled();
    }
    while (cursors(pieces).at(-1) !== lane.view().head) {
      off();
      off = await follow();
    }
    expect(events(pieces)).toEqual(events(whole));
  },
);

it('B17: numbers go on after a crash, and a home of an earlier day tells who has seen more that it is another', async () => {
  const home = await started();
  const lane = await laneOf(home);
  await lane.send(message('one'));
  await lane.settled();
  const backup = home.disk.crash({ seed: 1 });
  await lane.send(message('two'));
  await lane.settled();
  const { head } = lane.view();
  const after = await laneOf(await started({ disk: home.disk.crash({ seed: 0 }) }));
  expect(after.view().head).toBe(head);
  const frames: Frame[] = [];
  const old = await laneOf(await started({ disk: backup }));
  await old.attach(head, frame => frames.push(frame));
  expect(frames[0]).toMatchObject({ frame: 'recover', recovery: { code: 'cursor_ahead', view: old.view() } });
  expect(seqs(frames)[0]).toBe(1);
});

it('B01: a question is answered by an answer to it alone: not by nobody, not by time, not by nothing', async () => {
  const results: unknown[] = [];
  const script: typeof asking = async function* (turn) {
    results.push(...turn.answers);
    yield* asking(turn);
  };
  const home = await started({ script });
  const lane = await laneOf(home);
  await lane.send(message('ask me'));
  await lane.settled();
  const pause = lane.view().pauses[0]!.id;
  const waits = (): void => {
    expect(results).toEqual([]);
    expect(lane.view()).toMatchObject({ state: 'waiting', pauses: [{ id: pause }] });
  };
  waits();
  const off = await lane.attach(null, () => undefined);
  off();
  home.clock.advance(30 * DAY_MS);
  await lane.settled();
  waits();
  const nothing = [{}, { text: '' }, { text: ' x ' }, { option: '' }, { option: 'z' }, { fields: {} }];
  for (const answer of nothing) {
    const reply = await lane.decide({ ...bare(), pause, act: { do: 'answer', ...answer } });
    expect(reply.refused).toMatchObject({ code: 'invalid_choice' });
    waits();
  }
  // Words that name no question wait behind it.
  await lane.send(message('x'));
  await lane.settled();
  waits();
  await lane.decide({ ...bare(), pause, act: { do: 'answer', option: 'x' } });
  await lane.settled();
  expect(results).toMatchObject([{ result: { option: 'x' } }]);
});

it('B18: every surface gets the same events, also one that comes back while another answers', async () => {
  for (let moment = 0; moment < 60; moment += 3) {
    const lane = await laneOf(await started({ script: asking }));
    const [a, b]: Frame[][] = [[], []];
    await lane.attach(null, frame => a!.push(frame));
    const off = await lane.attach(null, frame => b!.push(frame));
    await lane.send(message('ask me'));
    await lane.settled();
    const [pause] = lane.view().pauses;
    off();
    const answer = lane.decide({ ...bare(), pause: pause!.id, act: { do: 'answer', option: 'x' } });
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    await lane.attach(cursors(b!).at(-1)!, frame => b!.push(frame));
    await answer;
    await lane.settled();
    expect(events(b!)).toEqual(events(a!));
  }
});

it('B19: what one surface sends is an event for every other, with who said it and under which command', async () => {
  const lane = await laneOf(await started());
  const frames: Frame[] = [];
  await lane.attach(null, frame => frames.push(frame));
  const command = message('from elsewhere', { actor: { ...ada, surface: 'curl' } });
  await lane.send(command);
  await lane.settled();
  const said = frames.flatMap(frame =>
    frame.frame === 'event' && frame.event.type === 'message' ? [frame.event] : [],
  );
  expect(said[0]).toMatchObject({ text: 'from elsewhere', by: command.actor, commandId: command.commandId });
  expect(said.at(-1)).toMatchObject({ by: { kind: 'bot' } });
});

it('B28: one that waits for an answer, a pinned one and the default are never removed; the rest goes as predicted and comes back', async () => {
  const home = await started({ script: asking, retention: STANDARD_RETENTION });
  const create = async () =>
    (await home.conversations.create({ ...bare(), scope: { kind: 'global' } })).view.id;
  const [owing, pinned] = [await create(), await create()];
  await (await home.conversations.lane(owing)).send(message('ask me'));
  await home.conversations.settled();
  await home.conversations.change(pinned, { ...bare(), pinned: true });
  for (let more = 0; more < 5; more += 1) await create();
  await home.conversations.retained();
  home.clock.advance(40 * DAY_MS);
  const predicted = await home.conversations.plan();
  const done = await home.conversations.retain();
  expect({ ...done, dryRun: true }).toEqual(predicted);
  const { rows } = await home.conversations.list({});
  const base = await home.conversations.default();
  expect(rows.map(({ id }) => id).toSorted()).toEqual([base, owing, pinned].toSorted());
  const trash = await home.conversations.trash();
  expect(trash).toHaveLength(5);
  for (const { name, conversation } of trash) {
    expect((await home.conversations.restore(name, bare())).view.id).toBe(conversation);
  }
  expect((await home.conversations.list({})).rows).toHaveLength(8);
});
