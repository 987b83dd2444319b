import type { BackendEvent, SessionStart } from '@hearth/engine/backend.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { describe, expect, test } from 'vitest';
import { Rehearsal } from './backend.ts';
import { Stage, ticket, unseen } from '../testing/stage.ts';

function stage(): Stage {
  return new Stage([
    ticket(1, 'Fix typo in the footer'),
    ticket(2, 'Dark mode'),
    ticket(3, 'Rename the menu'),
  ]);
}

function lost(strict: boolean, id = 'gone'): SessionStart {
  const turns = [
    { who: 'person' as const, text: 'quels tickets pour un quick win ?' },
    { who: 'bot' as const, text: 'Mon choix est HB-3, puis HB-1.' },
  ];
  return { mode: 'resume', id, fingerprint: 'rehearsal-1', strict, recap: { turns } };
}

describe('the session', () => {
  test('is told first, opened once and resumed afterwards', async () => {
    const playing = stage();
    const [first] = (await playing.say('hello')).events;
    const [second] = (await playing.say('hello')).events;
    expect(first).toEqual({
      type: 'session',
      id: '00000000-0000-4000-8000-000000000001',
      fingerprint: 'rehearsal-1',
      how: 'opened',
    });
    expect(second).toEqual({ ...first, how: 'resumed' });
  });

  test('keeps its language, its list and its focus', async () => {
    const playing = stage();
    await playing.say('quels tickets pour un quick win ?');
    expect((await playing.say('HB-2')).reply).toContain('«\u00a0Dark mode\u00a0» : backlog');
    await playing.say('montre le deuxième');
    expect((await playing.say('mets-le en cours')).changes).toEqual(['transition_issue HB-3']);
  });

  test('outlives the process: another backend over the same disk resumes it', async () => {
    const playing = stage();
    await playing.say('quick wins?');
    await playing.say('close all three');
    const later = new Rehearsal({ disk: playing.disk, ids: countedIds() });
    Object.assign(playing, { backend: later });
    expect((await playing.answer('yes')).changes).toHaveLength(3);
  });

  test.each(['gone', '../../etc/passwd', 'a/b', ''])(
    '%j that is lost is reseeded from the recap, with a marker',
    async id => {
      const playing = stage();
      playing.session = lost(false, id);
      const turn = await playing.say('HB-2');
      expect(turn.events[0]).toMatchObject({
        type: 'session',
        how: 'reseeded',
        degraded: expect.stringContaining('gone'),
      });
      expect(turn.reply).toMatch(/^Répétition/);
      expect((await playing.say('montre le deuxième')).reply).toContain('HB-1');
    },
  );

  test('that is lost fails a strict turn, before anything is done', async () => {
    const playing = stage();
    playing.session = lost(true);
    const { events } = await playing.say('close HB-1');
    expect(events).toEqual([
      { type: 'failed', code: 'session_lost', message: expect.stringContaining('"gone"'), began: false },
    ]);
    expect(playing.find('HB-1').state).toBe('backlog');
  });

  test('whose file is damaged counts as lost', async () => {
    const playing = stage();
    await playing.say('hello');
    if (playing.session.mode === 'fresh') throw new Error('no session');
    const path = `/epochs/1/backend/nexie/rehearsal-${playing.session.id}.json`;
    await playing.disk.write(path, new TextEncoder().encode('{"format":1'));
    expect((await playing.say('hello')).events[0]).toMatchObject({ how: 'reseeded' });
  });

  test('can be forked: the new one knows the list, the old one goes on', async () => {
    const playing = stage();
    await playing.say('quick wins?');
    const old = playing.session;
    if (old.mode === 'fresh') throw new Error('no session');
    playing.session = { ...old, mode: 'fork' };
    const forked = await playing.say('show the second one');
    expect(forked.events[0]).toMatchObject({ how: 'forked', id: '00000000-0000-4000-8000-000000000002' });
    expect(forked.reply).toContain('HB-');
    playing.session = old;
    expect((await playing.say('hello')).events[0]).toMatchObject({ how: 'resumed' });
  });
});

describe('messages that a broken attempt took', () => {
  const interrupted = {
    effect: 'e1' as const,
    toolsStarted: [],
    unseen: [unseen(2, 'and move HB-2 to review'), unseen(3, 'montre HB-3')],
  };

  test('are handled after the original one, each in its language', async () => {
    const turn = await stage().say('close HB-1', { attempt: 2, interrupted });
    expect(turn.changes).toEqual(['close_issue HB-1', 'transition_issue HB-2']);
    expect(turn.reply).toMatch(/Closed HB-1[^]*HB-2[^]*HB-3 «\u00a0Rename the menu\u00a0»/);
  });

  test('wait behind a question that the original one asks', async () => {
    const playing = stage();
    const turn = await playing.say('close everything', { attempt: 2, interrupted });
    expect(turn.last.type).toBe('parked');
    expect(turn.changes).toEqual([]);
    const after = await playing.answer('no');
    expect(after.changes).toEqual(['transition_issue HB-2']);
    expect(after.reply).toContain('HB-3 «\u00a0Rename the menu\u00a0»');
  });

  test('and what was said before a question is not lost', async () => {
    const playing = stage();
    await playing.say('close HB-1', {
      attempt: 2,
      interrupted: { ...interrupted, unseen: [unseen(2, 'close everything')] },
    });
    expect((await playing.answer('no')).reply).toMatch(/Closed HB-1[^]*Nothing was changed/);
  });
});

describe('a turn that is told to stop', () => {
  async function stopped(
    stop: (run: { interrupt(): Promise<void> }, controller: AbortController) => void,
  ): Promise<{ events: BackendEvent[]; playing: Stage }> {
    const playing = stage();
    const controller = new AbortController();
    const run = playing.backend.start(playing.turn('close HB-1 and HB-2'), playing, controller.signal);
    playing.beforeCall = call => {
      if (call.name === 'close_issue') stop(run, controller);
    };
    const events: BackendEvent[] = [];
    for await (const event of run) events.push(event);
    return { events, playing };
  }
  test.each([
    ['by an interrupt', (run: { interrupt(): Promise<void> }) => void run.interrupt()],
    ['by an abort', (_: unknown, controller: AbortController) => controller.abort()],
  ])('%s ends with stopped and makes no further call', async (_, stop) => {
    const { events, playing } = await stopped(stop);
    expect(events.at(-1)).toEqual({ type: 'stopped' });
    expect([playing.find('HB-1').state, playing.find('HB-2').state]).toEqual(['done', 'backlog']);
  });
});

test('a disk that fails ends the turn with one sentence', async () => {
  const playing = stage();
  playing.disk.failNext('write', 'disk_full');
  const { events } = await playing.say('hello');
  expect(events).toEqual([
    {
      type: 'failed',
      code: 'crashed',
      message: expect.stringContaining('The rehearsal broke off'),
      began: false,
    },
  ]);
});

test('it is always usable, and says what it is', async () => {
  const { backend } = stage();
  expect(await backend.detect()).toEqual({ usable: true, why: 'built in; no model is configured' });
  expect(backend.name).toBe('rehearsal');
});

test('the same conversation gives the same events', async () => {
  const texts = ['', 'quick wins?', 'move the second one to review', 'close everything', 'list the tickets'];
  const play = async () => {
    const playing = stage();
    const turns = [];
    for (const text of texts) turns.push((await playing.say(text)).events);
    return turns;
  };
  expect(await play()).toEqual(await play());
});
