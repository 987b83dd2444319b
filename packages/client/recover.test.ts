import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hydrate, readLog, Watch } from './recover.ts';
import { eager, TestService, until } from './testing/service.ts';
import { CONVERSATION } from './testing/world.ts';
import type { Timers } from './timers.ts';
import type { Model } from './view.ts';
import { modelFrom, reduce } from './view.ts';

let service: TestService;
const over: AbortController[] = [];
beforeEach(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  for (const controller of over.splice(0)) controller.abort();
  await service.stop();
});

/** A surface: hydrated and then live. */
async function surface(): Promise<Watch> {
  const watch = new Watch(await hydrate(service.client(), CONVERSATION), { onChange: () => {} });
  const controller = new AbortController();
  over.push(controller);
  watch.run(service.client(), controller.signal).catch(() => {});
  return watch;
}

/** What a surface shows that saw every event from the first on. */
function expected(): Model {
  return service.world.log.reduce(
    (model, placed) => reduce(model, { frame: 'event', ...placed }),
    modelFrom(service.world.view(), []),
  );
}

function talk(rounds: number): void {
  for (let i = 0; i < rounds; i++) {
    service.world.send(`message ${i}`);
    service.world.tool('look');
    service.world.narrate('hm');
    service.world.reply(`reply ${i}`, ['more']);
  }
}

const caughtUp = (watch: Watch) => () => watch.model.seq === expected().seq;

describe('from nothing to live', () => {
  it('reads the whole retained log, over many pages', async () => {
    talk(60);
    const model = await hydrate(service.client(), CONVERSATION);
    expect(model.items).toEqual(expected().items);
    expect(model.now).toEqual(expected().now);
    expect(model.cursor).toBe(service.world.head);
  });

  it('shows two surfaces the same items in the same order, whatever happens to their connections', async () => {
    talk(3);
    const first = await surface();
    service.repeat = 5;
    talk(2);
    const second = await surface();
    await until(() => service.streams === 2);
    service.cut();
    talk(4);
    service.world.send('and this');
    service.world.ask();
    await until(() => caughtUp(first)() && caughtUp(second)());
    expect(first.model.items).toEqual(expected().items);
    expect(second.model.items).toEqual(first.model.items);
    expect(second.model.now).toEqual(first.model.now);
    expect(first.model.shown).toBe(service.world.open.at(-1)?.id);
  });

  it('misses nothing that happens between the last page and the stream', async () => {
    talk(2);
    const model = await hydrate(service.client(), CONVERSATION);
    talk(2);
    const watch = new Watch(model, { onChange: () => {} });
    const controller = new AbortController();
    over.push(controller);
    void watch.run(service.client(), controller.signal);
    await until(caughtUp(watch));
    expect(watch.model.items).toEqual(expected().items);
  });

  it.each([
    ['when its stream opens anew', () => service.cut(), 2],
    ['although nothing happens and its stream goes on', () => undefined, 1],
  ])(
    'learns what was told before its stream opened: that nothing can be saved, and %s that it can again',
    async (_name, meanwhile, streams) => {
      talk(1);
      const model = await hydrate(service.client(), CONVERSATION);
      const problem = { code: 'disk_full', detail: 'The disk is full.' };
      const view = service.world.view.bind(service.world);
      service.world.view = () => ({ ...view(), trouble: problem });
      const watch = new Watch(model, { onChange: () => {} });
      const controller = new AbortController();
      over.push(controller);
      void watch.run(service.client(), controller.signal);
      await until(() => watch.model.trouble !== null);
      expect(watch.model.trouble).toEqual(problem);
      service.world.view = view;
      await until(() => service.resumedAfter.length === 1);
      meanwhile();
      await until(() => watch.model.trouble === null && service.resumedAfter.length >= streams);
      expect(service.resumedAfter).toHaveLength(streams);
      expect(watch.model.items).toEqual(expected().items);
    },
  );

  it('starts from the boundary of a conversation whose log was trimmed', async () => {
    talk(10);
    service.world.trim(7);
    const watch = await surface();
    talk(1);
    await until(caughtUp(watch));
    expect(watch.model.items[0]?.seq).toBeGreaterThan(7);
    expect(watch.model.now).toEqual(expected().now);
  });

  it('recovers when its place was trimmed away while it was not connected', async () => {
    talk(3);
    const watch = await surface();
    await until(() => service.streams === 1 && caughtUp(watch)());
    const sent: string[] = [];
    service.refuse = ({ path }) => {
      sent.push(path);
      return path.endsWith('/stream') ? { status: 503, body: {} } : null;
    };
    service.cut();
    talk(5);
    service.world.send('last');
    service.world.ask();
    service.world.trim(6);
    service.refuse = () => null;
    await until(() => watch.model.seq === Number(service.world.head.split('.')[1]));
    expect(watch.model.now).toEqual(modelFrom(service.world.view(), []).now);
    expect(watch.model.items.at(-1)?.is).toBe('asked');
    expect(watch.model.items[0]?.seq).toBeGreaterThan(10);
  });

  it('begins anew at the boundary when its place is trimmed away between two pages', async () => {
    talk(60);
    let pages = 0;
    service.refuse = ({ path }) => {
      if (path.endsWith('/events') && ++pages === 2) service.world.trim(9);
      return null;
    };
    const log = await readLog(service.client(), CONVERSATION);
    expect(pages).toBeGreaterThan(2);
    expect(log.events.map(({ cursor }) => cursor)).toEqual(service.world.log.map(({ cursor }) => cursor));
    expect(log.events).toHaveLength(9);
    expect(log).toMatchObject({ from: service.world.retained, next: service.world.head });
  });

  it('asks ever more slowly when its place is trimmed away again and again', async () => {
    const rests: number[] = [];
    const timers: Timers = {
      now: () => 0,
      after: (ms, callback) => {
        rests.push(ms);
        return eager.after(ms, callback);
      },
    };
    talk(60);
    let pages = 0;
    service.refuse = ({ path }) => {
      // Three times the second page finds its place gone.
      if (path.endsWith('/events') && ++pages % 2 === 0 && pages < 8) {
        service.world.trim(0);
        talk(60);
      }
      return null;
    };
    await readLog(service.client(timers), CONVERSATION);
    expect(rests.filter(ms => ms < 10_000)).toEqual([0, 200, 500]);
  });

  it('says that the conversation is unknown', async () => {
    await expect(hydrate(service.client(), 'c_01jz0000000000000000000009')).rejects.toMatchObject({
      code: 'unknown_conversation',
    });
  });
});

describe('a watch', () => {
  it('tells of changes only', async () => {
    let changes = 0;
    const watch = new Watch(await hydrate(service.client(), CONVERSATION), { onChange: () => changes++ });
    watch.dispatch({ frame: 'heartbeat', at: '' });
    expect(changes).toBe(0);
    watch.dispatch({ frame: 'link', link: { is: 'connected' } });
    expect(changes).toBe(1);
  });
});
