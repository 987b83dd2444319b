import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StreamFrame } from './frame.ts';
import type { Link } from './stream.ts';
import { follow, SILENCE } from './stream.ts';
import { eager, TestService, until } from './testing/service.ts';
import { CONVERSATION } from './testing/world.ts';
import type { Timers } from './timers.ts';

let service: TestService;
beforeEach(async () => {
  service = await TestService.start();
});
afterEach(() => service.stop());

interface Following {
  readonly frames: StreamFrame[];
  readonly links: Link[];
  readonly seqs: () => number[];
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

function followed(
  options: Partial<Parameters<typeof follow>[2]> = {},
  conversation = CONVERSATION,
): Following {
  const frames: StreamFrame[] = [];
  const links: Link[] = [];
  const over = new AbortController();
  const ended = follow(service.client(), conversation, {
    after: null,
    onFrame: frame => frames.push(frame),
    onState: link => links.push(link),
    signal: over.signal,
    clock: eager,
    ...options,
  });
  ended.catch(() => {});
  return {
    frames,
    links,
    seqs: () => frames.flatMap(frame => (frame.frame === 'event' ? [frame.event.seq] : [])),
    stop: async () => {
      over.abort();
      await ended;
    },
    ended,
  };
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('following', () => {
  it('gives the backlog and then what is live, in order', async () => {
    service.world.send('hello');
    const backlog = service.world.log.length;
    const it = followed();
    await until(() => it.seqs().length === backlog);
    service.world.narrate('thinking');
    service.world.reply('Done.');
    await until(() => it.seqs().length === service.world.log.length);
    expect(it.seqs()).toEqual(upTo(service.world.log.length));
    expect(it.links).toEqual([{ is: 'connecting' }, { is: 'connected' }]);
    await it.stop();
  });

  it('resumes after the last event it handed over, however often it is cut', async () => {
    service.cutAfter = 2;
    service.world.send('one');
    service.world.reply('1');
    service.world.send('two');
    const it = followed();
    await until(() => it.seqs().length >= service.world.log.length);
    expect(it.seqs()).toEqual(upTo(service.world.log.length));
    const cursors = service.world.log.map(placed => placed.cursor);
    expect(service.resumedAfter.slice(0, 3)).toEqual([null, cursors[1], cursors[3]]);
    await it.stop();
  });

  it('says plainly that the connection is lost and comes back', async () => {
    service.world.send('one');
    const it = followed();
    await until(() => service.streams === 1 && it.seqs().length > 0);
    service.cut();
    await until(() => service.resumedAfter.length === 2);
    service.world.narrate('still here');
    await until(() => it.seqs().length === service.world.log.length);
    expect(it.links.map(link => link.is)).toEqual([
      'connecting',
      'connected',
      'lost',
      'reconnecting',
      'connected',
    ]);
    await it.stop();
  });

  it('gives up a connection that has fallen silent', async () => {
    const watchdogs: (() => void)[] = [];
    const clock: Timers = {
      now: () => 0,
      after: (ms, callback) => {
        if (ms !== SILENCE) return eager.after(ms, callback);
        watchdogs.push(callback);
        return () => {};
      },
    };
    service.world.send('one');
    const it = followed({ clock });
    await until(() => it.seqs().length === service.world.log.length);
    watchdogs.at(-1)?.();
    await until(() => service.resumedAfter.length === 2);
    expect(it.links).toContainEqual({ is: 'lost', why: 'The service fell silent.' });
    await it.stop();
  });

  it('comes back at once when the service cuts off a slow consumer', async () => {
    service.world.send('one');
    const it = followed();
    await until(() => it.seqs().length === service.world.log.length);
    service.publish({ frame: 'cut', code: 'consumer_too_slow', resumeFrom: service.world.head });
    await until(() => service.resumedAfter.length === 2);
    expect(it.links).toContainEqual({ is: 'reconnecting', attempt: 1, inMs: 0 });
    await it.stop();
  });

  it('comes back ever more slowly when it is cut off again and again, and at once when that is over', async () => {
    const it = followed();
    const cut = async (times: number) => {
      await until(() => service.streams === 1 && service.resumedAfter.length === times);
      service.publish({ frame: 'cut', code: 'consumer_too_slow', resumeFrom: service.world.head });
    };
    for (const times of [1, 2, 3]) await cut(times);
    await until(() => service.resumedAfter.length === 4);
    const rests = () => it.links.flatMap(link => (link.is === 'reconnecting' ? [link.inMs] : []));
    expect(rests()).toEqual([0, 200, 500]);
    await until(() => service.streams === 1);
    service.cut();
    await cut(5);
    await until(() => service.resumedAfter.length === 6);
    expect(rests()).toEqual([0, 200, 500, 200, 0]);
    await it.stop();
  });

  it('says why when the service cannot save what happens', async () => {
    const it = followed();
    await until(() => service.streams === 1);
    const problem = { code: 'disk_full', detail: 'The disk is full.' };
    service.publish({ frame: 'cut', code: 'not_saved', resumeFrom: service.world.head, problem });
    await until(() => service.resumedAfter.length === 2);
    expect(it.links).toContainEqual({ is: 'lost', why: 'The disk is full.' });
    expect(it.links).toContainEqual({ is: 'reconnecting', attempt: 1, inMs: 200 });
    await it.stop();
  });

  it('says that the service was stopped until it runs again, and not that it is being looked for', async () => {
    const it = followed();
    await until(() => service.streams === 1);
    service.refuse = ({ path }) => (path.endsWith('/stream') ? { status: 503, body: {} } : null);
    service.publish({ frame: 'cut', code: 'stopping', resumeFrom: service.world.head });
    await until(() => it.links.some(link => link.is === 'stopped'));
    const before = it.links.length;
    service.refuse = () => null;
    await until(() => it.links.length > before);
    expect(it.links.slice(before)).toEqual([{ is: 'connected' }]);
    await it.stop();
  });

  it('goes on from the boundary after a recovery, also when it is cut right there', async () => {
    for (let i = 0; i < 4; i++) {
      service.world.send(`m${i}`);
      service.world.reply('ok');
    }
    const old = service.world.log[0]?.cursor ?? '';
    service.world.trim(5);
    service.cutAfter = 1;
    const it = followed({ after: old });
    await until(() => it.seqs().length >= 5);
    expect(it.frames[0]).toMatchObject({ frame: 'recover', recovery: { code: 'cursor_expired' } });
    expect(it.seqs()).toEqual(service.world.log.map(placed => placed.event.seq));
    expect(service.resumedAfter[1]).toBe(service.world.retained);
    await it.stop();
  });

  it('hands over a frame of an unknown kind as unsupported and goes on', async () => {
    const it = followed();
    await until(() => service.streams === 1);
    service.publish({ frame: 'hologram' } as never);
    service.world.send('hello');
    await until(() => it.seqs().length === service.world.log.length);
    expect(it.frames[0]).toEqual({ frame: 'unsupported', name: 'hologram' });
    await it.stop();
  });

  it('moves to the service that was started in place of a dead one', async () => {
    service.world.send('one');
    const other = await TestService.start();
    other.world.send('one');
    other.world.reply('Hello.');
    const it = followed({ renew: () => Promise.resolve(other.client()) });
    await until(() => it.seqs().length === service.world.log.length);
    await service.stop();
    await until(() => it.seqs().length === other.world.log.length);
    expect(it.seqs()).toEqual(upTo(other.world.log.length));
    await it.stop();
    service = other;
  });

  it('tries on when nobody restarts the service', async () => {
    const it = followed({ renew: () => Promise.reject(new Error('no')) });
    await service.stop();
    await until(() => it.links.filter(link => link.is === 'reconnecting').length > 3);
    await it.stop();
    service = await TestService.start();
  });

  it('ends for good when the conversation does not exist', async () => {
    const it = followed({}, 'c_01jz0000000000000000000009');
    await expect(it.ended).rejects.toMatchObject({ code: 'unknown_conversation' });
  });

  it('ends for good when the conversation is removed while it is followed, and keeps what was there', async () => {
    service.world.send('one');
    const it = followed();
    await until(() => it.seqs().length === service.world.log.length);
    const { head } = service.world;
    const recovery = {
      code: 'unknown_conversation',
      resetCursor: head,
      stateCursor: head,
      view: null,
    } as const;
    service.publish({ frame: 'recover', recovery });
    await expect(it.ended).rejects.toMatchObject({ code: 'unknown_conversation', status: 404 });
    expect(it.frames.every(frame => frame.frame !== 'recover')).toBe(true);
  });

  it('does not swallow a fault of its reader', async () => {
    service.world.send('one');
    const it = followed({
      onFrame: () => {
        throw new Error('cannot draw');
      },
    });
    await expect(it.ended).rejects.toThrow('cannot draw');
    expect(service.resumedAfter).toHaveLength(1);
  });
});
