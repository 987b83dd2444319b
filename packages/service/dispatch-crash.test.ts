import { Boards } from '@hearth/board/boards.ts';
import {
  type Sample,
  type Script,
  session,
  started,
  ada,
  done,
  HOME,
} from '@hearth/conversations/testing/sample-home.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import { writeJson } from '@hearth/store/atomic-file.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, test } from 'vitest';
import { Dispatcher } from './dispatcher.ts';
import { settingsPath } from './settings.ts';

/*
 * The dispatcher, stopped before every call to the disk: claim, conversation, message, pause, attempt, outcome. Whoever
 * comes next takes the ticket over when the lease has run out, and in the end there is one conversation, one comment on
 * each pause and on the outcome, and no turn that was sent twice without a person.
 */

const PROJECT = '/project';
const START = Date.UTC(2026, 0, 1);
const ids = countedIds();

interface Life extends Sample {
  readonly boards: Boards;
  readonly dispatcher: Dispatcher;
}

async function life(disk: SimDisk, clock: SimClock, script: Script): Promise<Life> {
  const home = await started({ disk, clock, script });
  const boards = new Boards({ home: HOME, disk, clock, realPath: path => Promise.resolve(path) });
  const log = { write: () => undefined, close: () => Promise.resolve() };
  const { bots, conversations } = home;
  const dispatcher = new Dispatcher({ disk, home: HOME, clock, ids, log, boards, bots, conversations });
  return { ...home, boards, dispatcher };
}

async function ticketOf({ boards }: Life): Promise<Ticket> {
  return (await boards.open(PROJECT)).get('HB-1');
}

/** What a person does about a ticket that waits for them. */
type Person = (home: Life, c: ConversationId) => Promise<void>;

/** Works until nothing is to be done any more, as days go by. */
async function days(home: Life, person: Person): Promise<void> {
  const { dispatcher, conversations, clock, disk } = home;
  for (let day = 0; day < 40; day += 1) {
    await dispatcher.passed(true);
    if (disk.stoppedBefore !== null) return;
    await conversations.settled();
    if (disk.stoppedBefore !== null) return;
    const { state, dispatch } = await ticketOf(home);
    if (state === 'review' || state === 'blocked') return;
    if (state === 'awaiting_input' && dispatch?.conversation != null)
      await person(home, dispatch.conversation);
    clock.advance(30_000);
  }
  throw new Error('the ticket comes to no end');
}

interface Turns {
  count: number;
}

/** Every crash of the whole work on one ticket; `judge` sees the ticket in the end and how many turns there were. */
async function everyCrash(
  make: (turns: Turns) => Script,
  person: Person,
  judge: (ticket: Ticket, turns: { readonly before: number; readonly after: number }) => void,
  seeds: readonly number[] = [0],
): Promise<number> {
  const { cases } = await enumerateCrashes<Turns>({
    seeds,
    setup: async disk => {
      await disk.makeDirectory(PROJECT);
      const home = await life(disk, new SimClock(START), make({ count: 0 }));
      await writeJson(disk, settingsPath(HOME), { dispatch: { on: true, attempts: 2 } });
      const fresh = { title: 'Mend the door', state: 'ready', bot: 'whats-next' } as const;
      await (await home.boards.open(PROJECT)).add(fresh, 'ada');
      await home.conversations.closeAll();
    },
    progress: () => ({ count: 0 }),
    act: async (disk, turns) => {
      try {
        const home = await life(disk, new SimClock(START), make(turns));
        await days(home, person);
      } catch (thrown) {
        if (disk.stoppedBefore === null) throw thrown;
      }
    },
    check: async (disk, { count: before }) => {
      const after = { count: 0 };
      // The next day: the lease of whoever died has run out.
      const home = await life(disk, new SimClock(START + 24 * 3_600_000), make(after));
      await days(home, person);
      await home.dispatcher.close();
      const ticket = await ticketOf(home);
      const { rows, damaged } = await home.conversations.list({});
      expect(damaged).toEqual([]);
      expect(rows.filter(row => !row.isDefault).map(row => row.id)).toEqual([ticket.dispatch?.conversation]);
      expect(ticket.claim).toBeUndefined();
      const said = ticket.comments.map(comment => comment.body);
      expect(said).toEqual([...new Set(said)]);
      judge(ticket, { before, after: after.count });
      await home.conversations.closeAll();
    },
  });
  return cases;
}

const nobody: Person = async () => undefined;

/** Takes up what a crash has cut short, and answers what is asked. */
const willing: Person = async ({ conversations }, c) => {
  const lane = await conversations.lane(c);
  const pause = lane.view().pauses.find(open => open.kind !== 'chat');
  if (pause === undefined) return;
  const act = pause.kind === 'recovery' ? ({ option: 'again' } as const) : ({ text: 'oil' } as const);
  await lane.decide({
    commandId: `person-answers-${pause.id.padStart(8, '0')}`,
    actor: ada,
    pause: pause.id,
    act: { do: 'answer', ...act },
  });
};

const starting = (ticket: Ticket, words: string): number =>
  ticket.comments.filter(({ body }) => body.startsWith(words)).length;

describe('the work on a ticket, stopped before every call to the disk', () => {
  test('that ends well', async () => {
    const cases = await everyCrash(
      turns =>
        async function* script() {
          turns.count += 1;
          yield session;
          yield done('mended');
        },
      willing,
      (ticket, { before, after }) => {
        expect(ticket.state).toBe('review');
        expect(starting(ticket, 'Done in ')).toBe(1);
        // What was sent before the crash was sent again by the person alone, where it had to be.
        expect(after).toBeLessThanOrEqual(before === 0 ? 1 : starting(ticket, 'Waits '));
      },
    );
    expect(cases).toBeGreaterThan(100);
  }, 300_000);

  test('that asks a person', async () => {
    await everyCrash(
      turns =>
        async function* script(turn) {
          turns.count += 1;
          yield session;
          if (turn.answers.length > 0) yield done('oiled');
          else
            yield { type: 'parked', asks: [{ text: 'Oil?', options: [], allowFreeText: true }], permits: [] };
        },
      willing,
      ticket => {
        expect(ticket.state).toBe('review');
        expect(starting(ticket, 'Done in ')).toBe(1);
        expect(starting(ticket, 'Waits ')).toBeGreaterThan(0);
      },
      [0, 1],
    );
  }, 300_000);

  test('that fails, is tried again, and is given up', async () => {
    await everyCrash(
      turns =>
        async function* script() {
          turns.count += 1;
          yield session;
          yield { type: 'failed', code: 'auth', message: 'no key', began: false };
        },
      willing,
      ticket => {
        expect(ticket.state).toBe('blocked');
        expect(ticket.dispatch).toMatchObject({ gaveUp: true, failures: 2, round: 1 });
        expect(starting(ticket, 'Attempt 1 of 2 ')).toBe(1);
        expect(starting(ticket, 'Gave up ')).toBe(1);
      },
    );
  }, 300_000);
});

test('a turn that a crash has cut short waits for a person, for ever if need be', async () => {
  const clock = new SimClock(START);
  const hang = Promise.withResolvers<void>();
  const script: Script = async function* () {
    yield session;
    await hang.promise;
    yield done('never');
  };
  const first = await life(new SimDisk(), clock, script);
  await first.disk.makeDirectory(PROJECT);
  await writeJson(first.disk, settingsPath(HOME), { dispatch: { on: true } });
  const fresh = { title: 'Mend the door', state: 'ready', bot: 'whats-next' } as const;
  await (await first.boards.open(PROJECT)).add(fresh, 'ada');
  await first.dispatcher.passed(true);
  const { dispatch, claim } = await ticketOf(first);
  expect(claim).toBeDefined();

  const disk = first.disk.crash({ seed: 1 });
  const second = await life(disk, clock, script);
  await second.dispatcher.passed(true);
  // The lease of the one that died still holds.
  expect((await ticketOf(second)).claim).toEqual(claim);
  clock.advance(60_000);
  await second.dispatcher.passed(true);
  const taken = await ticketOf(second);
  expect(taken.claim).toMatchObject({ epoch: 2 });
  expect(taken).toMatchObject({ state: 'awaiting_input', dispatch: { round: 1 } });
  expect(taken.dispatch?.conversation).toBe(dispatch?.conversation);
  await days(second, nobody).catch(() => undefined);
  expect(second.backend.turns).toEqual([]);
  expect((await ticketOf(second)).comments).toHaveLength(1);

  // Whoever lost the ticket changes nothing any more.
  await first.dispatcher.close();
  expect((await ticketOf(second)).claim).toMatchObject({ epoch: 2 });
});
