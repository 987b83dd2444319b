import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import { describe, expect, it } from 'vitest';
import type { RetentionOptions } from './keeper.ts';
import { DAY_MS } from './retention.ts';
import { ada, message, type Sample, started } from './testing/sample-home.ts';

/* Two things at once: the second begins at every moment of the first, from its start to its end. */

const bare = () => ({ commandId: message('').commandId, actor: ada });

function retention(limits: Partial<RetentionOptions['limits']> = {}): RetentionOptions {
  return {
    limits: { conversations: 64, days: 30, bytes: 1_000_000, ...limits },
    trash: { days: 7, bytes: 1_000_000 },
  };
}

async function made({ conversations }: Sample): Promise<ConversationId> {
  const { view } = await conversations.create({ ...bare(), scope: { kind: 'global' } });
  await conversations.retained();
  return view.id;
}

const ids = async ({ conversations }: Sample) => (await conversations.list({})).rows.map(row => row.id);
const trash = async ({ conversations }: Sample) => (await conversations.trash()).map(one => one.conversation);

/** How a command ended: `ok`, `replayed`, or the code of why not. */
function outcome(work: Promise<Reply | void | object>): Promise<string> {
  return work.then(
    reply => {
      if (reply === undefined || !('replayed' in reply)) return 'ok';
      return reply.refused?.code ?? (reply.replayed ? 'replayed' : 'ok');
    },
    (thrown: { code?: string; message: string }) => thrown.code ?? thrown.message,
  );
}

interface Race {
  readonly home: Sample;
  readonly first: () => Promise<Reply | void | object>;
  readonly second: () => Promise<Reply | void | object>;
  /** Looks at what has become of it. */
  readonly after: (first: string, second: string) => Promise<void>;
}

/** Runs the race with the second beginning later each time, until the first has ended by then. */
async function atEveryMoment(prepare: () => Promise<Race>): Promise<void> {
  for (let moment = 0, over = false; !over; moment += 1) {
    const { home, first, second, after } = await prepare();
    const one = outcome(first()).finally(() => {
      over = true;
    });
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    const late: boolean = over;
    const [how, other] = await Promise.all([one, outcome(second())]);
    over = late;
    if (!late) await after(how, other);
    await home.conversations.closeAll();
  }
}

describe('at every moment of a close', () => {
  it('the same close gets the same receipt', () =>
    atEveryMoment(async () => {
      const home = await started();
      const id = await made(home);
      const command = bare();
      return {
        home,
        first: () => home.conversations.close(id, command),
        second: () => home.conversations.close(id, command),
        after: async (first, second) => expect([first, second]).toEqual(['ok', 'replayed']),
      };
    }));

  it('a message is told that the conversation is gone, and not that the service stops', () =>
    atEveryMoment(async () => {
      const home = await started();
      const id = await made(home);
      const lane = await home.conversations.lane(id);
      return {
        home,
        first: () => home.conversations.close(id, bare()),
        second: () => lane.send(message('hello')),
        after: async (first, second) =>
          expect(['ok,unknown_conversation', 'active,ok']).toContain(`${first},${second}`),
      };
    }));

  it('it is no default that nobody can reach any more', () =>
    atEveryMoment(async () => {
      const home = await started();
      const id = await made(home);
      return {
        home,
        first: () => home.conversations.close(id, bare()),
        second: () => home.conversations.makeDefault(id),
        after: async first => {
          const chosen = await home.conversations.default();
          expect(chosen === id).toBe(first === 'default');
        },
      };
    }));
});

it('a close at every moment of what makes it the default leaves one default', () =>
  atEveryMoment(async () => {
    const home = await started();
    const id = await made(home);
    return {
      home,
      first: () => home.conversations.makeDefault(id),
      second: () => home.conversations.close(id, bare()),
      after: async (first, second) => {
        expect(['ok,default', 'unknown_conversation,ok']).toContain(`${first},${second}`);
        await home.conversations.default();
      },
    };
  }));

it('a close at every moment of a message is refused, or the message was never accepted', () =>
  atEveryMoment(async () => {
    const home = await started();
    const id = await made(home);
    return {
      home,
      first: async () => (await home.conversations.lane(id)).send(message('hello')),
      second: () => home.conversations.close(id, bare()),
      after: async (first, second) =>
        expect(['ok,active', 'ok,ok', 'unknown_conversation,ok']).toContain(`${first},${second}`),
    };
  }));

it('a close at every moment of a reset takes the whole conversation away, and it comes back whole', () =>
  atEveryMoment(async () => {
    const home = await started();
    const id = await made(home);
    return {
      home,
      first: () => home.conversations.reset(id, bare()),
      second: () => home.conversations.close(id, bare()),
      after: async (first, second) => {
        expect(['ok,ok', 'unknown_conversation,ok']).toContain(`${first},${second}`);
        expect(await trash(home)).toEqual([id]);
        await home.conversations.restore(id, bare());
        const { view } = await (await home.conversations.lane(id)).send(message('again'));
        expect(view.head.startsWith(first === 'ok' ? '2.' : '1.')).toBe(true);
      },
    };
  }));

describe('a pass of retention', () => {
  it('at every moment of a creation never takes away what is being made', () =>
    atEveryMoment(async () => {
      const home = await started({ retention: retention({ conversations: 1 }) });
      return {
        home,
        first: () => home.conversations.create({ ...bare(), scope: { kind: 'global' } }),
        second: () => home.conversations.retain(),
        after: async first => expect(first).toBe('ok'),
      };
    }));

  it('at every moment of a restore leaves what comes back, however old it is', () =>
    atEveryMoment(async () => {
      const home = await started({ retention: retention() });
      const id = await made(home);
      for (let days = 0; days < 30; days += 6) {
        home.clock.advance(6 * DAY_MS);
        await home.conversations.retain();
      }
      await home.conversations.close(id, bare());
      home.clock.advance(5 * DAY_MS);
      return {
        home,
        first: () => home.conversations.restore(id, bare()),
        second: () => home.conversations.retain(),
        after: async first => expect([first, await trash(home)]).toEqual(['ok', []]),
      };
    }));

  it('has a message at every moment accepted into a conversation that stays, or into none', () =>
    atEveryMoment(async () => {
      const before = await started({ retention: retention() });
      const id = await made(before);
      for (let days = 0; days < 30; days += 6) {
        before.clock.advance(6 * DAY_MS);
        await before.conversations.retain();
      }
      await before.conversations.closeAll();
      before.clock.advance(1);
      const { disk, clock } = before;
      const home = await started({ disk, clock, retention: retention() });
      return {
        home,
        first: () => home.conversations.retain(),
        second: async () => (await home.conversations.lane(id)).send(message('hello')),
        after: async (_, second) => {
          await home.conversations.settled();
          const where = [await ids(home), await trash(home)].map(found => found.includes(id));
          expect([second, ...where]).toEqual(
            second === 'ok' ? ['ok', true, false] : ['unknown_conversation', false, true],
          );
        },
      };
    }));
});
