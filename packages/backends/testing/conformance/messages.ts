import type { BackendEvent } from '@hearth/engine/backend.ts';
import { expect, test } from 'vitest';
import type { Present } from './kit.ts';
import type { Play } from './subject.ts';
import { message, type Talk, times, type Told } from './talk.ts';

/* Words of the person's while a turn works: taken once, seen at most once, and never half. And its interruption. */

const WORKS: readonly Play[] = [
  { is: 'calls', calls: [{ name: 'list_issues', args: {} }] },
  { is: 'answers', reply: 'I have it.' },
];

const ids = (events: readonly BackendEvent[], type: 'taken' | 'seen'): readonly string[] =>
  events.flatMap(event => (event.type === type ? event.messages : []));

/** Plays a turn whose tool is held, and does something meanwhile. */
async function whileItWorks(
  one: Talk,
  meanwhile: (started: ReturnType<Talk['start']>) => void,
): Promise<Told> {
  const words = one.arranged('works while it is spoken to', WORKS);
  const held = Promise.withResolvers<void>();
  one.hold = held.promise;
  const started = one.start(one.turn(words));
  await expect.poll(() => one.calls.length, { interval: 5 }).toBe(1);
  meanwhile(started);
  // Whatever was offered has to be able to get to where it is read.
  await new Promise(resolve => setTimeout(resolve, 100));
  held.resolve();
  one.hold = null;
  return await started.told;
}

export function messageTests({ talk }: Present): void {
  test('words that are offered join at the next boundary, in order, once each (B23)', async () => {
    const one = talk();
    const { events, last } = await whileItWorks(one, ({ run }) => {
      run.offer(message(1, 'The first addition.'));
      run.offer(message(2, 'The second addition.'));
    });
    expect(last.type).toBe('done');
    if (!one.stage.backend.capabilities.steering) {
      // They wait for the next turn, which the engine begins at once.
      expect([...ids(events, 'taken'), ...ids(events, 'seen')]).toEqual([]);
      return;
    }
    expect(ids(events, 'taken')).toEqual(['m1', 'm2']);
    expect(ids(events, 'seen')).toEqual(['m1', 'm2']);
    const order = events.map(event => event.type);
    expect(order.indexOf('taken')).toBeLessThan(order.indexOf('seen'));
    const heard = one.stage.heard()?.at(-1);
    if (heard === undefined) return;
    expect(times('The first addition.', heard)).toBe(1);
    expect(times('The second addition.', heard)).toBe(1);
    expect(heard.indexOf('The first addition.')).toBeLessThan(heard.indexOf('The second addition.'));
  });

  test('words that come while the answer is written are taken and answered, or not taken at all', async () => {
    const one = talk();
    const held = Promise.withResolvers<void>();
    const plays: readonly Play[] = [
      { is: 'holds', text: 'I write', until: held.promise },
      { is: 'answers', reply: 'The answer.' },
      { is: 'answers', reply: 'With the addition.' },
    ];
    const words = one.stage.arrange('writes while it is spoken to', plays);
    if (words === null) return;
    const started = one.start(one.turn(words));
    await started.until(event => event.type === 'draft');
    started.run.offer(message(1, 'A late addition.'));
    await new Promise(resolve => setTimeout(resolve, 50));
    held.resolve();
    const { events, last } = await started.told;
    expect(last.type).toBe('done');
    const heard = one.stage.heard()?.at(-1) ?? '';
    const count = times('A late addition.', heard);
    expect(ids(events, 'taken')).toEqual(count === 0 ? [] : ['m1']);
    expect(ids(events, 'seen')).toEqual(ids(events, 'taken'));
    expect(count).toBeLessThanOrEqual(1);
  });

  test('after its end nothing is taken', async () => {
    const one = talk();
    const started = one.start(one.turn(one.arranged('answers', [{ is: 'answers', reply: 'Done.' }])));
    const { events } = await started.told;
    started.run.offer(message(1, 'Too late.'));
    await started.run.interrupt();
    expect(ids(events, 'taken')).toEqual([]);
  });

  test('an interrupt while a tool works ends the turn, and the session goes on (B22)', async () => {
    const one = talk();
    const told = await whileItWorks(one, ({ run }) => void run.interrupt());
    expect(told.last).toEqual({ type: 'stopped' });
    await goesOn(one);
  });

  test('an interrupt while the answer is written keeps what was written, and the session goes on (B22)', async () => {
    const one = talk();
    const never = Promise.withResolvers<void>();
    const words = one.stage.arrange('writes while it is spoken to', [
      { is: 'holds', text: 'Half of an ansWer 🐎', until: never.promise },
    ]);
    if (words === null) return never.resolve();
    const started = one.start(one.turn(words));
    const draft = await started.until(event => event.type === 'draft' && event.text.includes('🐎'));
    expect(draft).toMatchObject({ text: expect.stringContaining('Half of an ansWer 🐎') });
    await started.run.interrupt();
    const { last } = await started.told;
    never.resolve();
    expect(last).toEqual({ type: 'stopped' });
    await goesOn(one);
  });
}

/** A further attempt after an interrupt, with the person's word that it shall go on. */
async function goesOn(one: Talk): Promise<void> {
  const words = one.arranged('answers', [{ is: 'answers', reply: 'Here again.' }]);
  const turn = one.turn(words, {
    attempt: 2,
    interrupted: { effect: 'e1', toolsStarted: ['list_issues'], unseen: [message(9, 'Go on without it.')] },
  });
  const { events, last } = await one.start(turn).told;
  expect(events[0]).toMatchObject({ type: 'session', how: 'resumed' });
  expect(last.type).toBe('done');
  const heard = one.stage.heard()?.at(-1);
  if (heard === undefined) return;
  expect(times('Go on without it.', heard)).toBe(1);
  expect(heard).toContain('interrupted');
}
