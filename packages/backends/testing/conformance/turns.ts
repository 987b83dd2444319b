import { expect, test } from 'vitest';
import type { Present } from './kit.ts';
import { times } from './talk.ts';

/* Turns that do well: their events, their session, the tools, the form of the answer. */

export function turnTests({ talk }: Present): void {
  test('the session comes first, one ending comes last, and the answer has the form that was asked for', async () => {
    const { events, last } = await talk().say('answers', [{ is: 'answers', reply: 'Good day.' }]);
    expect(events[0]).toMatchObject({ type: 'session', how: 'opened' });
    expect(events.filter(event => ENDINGS.has(event.type))).toEqual([last]);
    expect(last).toMatchObject({ type: 'done', output: { reply: expect.any(String), close: false } });
    expect(events.some(event => event.type === 'usage')).toBe(true);
  });

  test('two turns are one session, and the second knows the words of the first', async () => {
    const one = talk();
    const first = await one.say('answers', [{ is: 'answers', reply: 'Good day.' }]);
    const second = await one.say('answers', [{ is: 'answers', reply: 'Still here.' }]);
    const [opened, resumed] = [first.events[0], second.events[0]];
    if (opened?.type !== 'session' || resumed?.type !== 'session') throw new Error('no session');
    if (!one.stage.backend.capabilities.resume) {
      expect(resumed).toMatchObject({ how: 'reseeded', degraded: expect.any(String) });
      return;
    }
    expect(resumed).toMatchObject({ id: opened.id, fingerprint: opened.fingerprint, how: 'resumed' });
    expect(resumed).not.toHaveProperty('degraded');
    const heard = one.stage.heard()?.at(-1);
    if (heard === undefined) return;
    expect(heard).toContain('Good day.');
    // What the system says is that of the turn, not of the turn that began the session.
    expect(heard).toContain('in turn 2');
    expect(heard).not.toContain('in turn 1');
  });

  test("a tool of Hearth's runs through the host, once, and its result is read", async () => {
    const one = talk();
    const { last } = await one.say('calls a tool', [
      { is: 'calls', calls: [{ name: 'list_issues', args: {} }], text: 'I look.' },
      { is: 'answers', reply: 'Nothing is open.' },
    ]);
    expect(last.type).toBe('done');
    expect(one.calls.map(call => call.name)).toEqual(['list_issues']);
    expect(one.calls[0]?.id).toMatch(/\S/);
    const heard = one.stage.heard()?.at(-1);
    if (heard !== undefined) expect(heard).toContain('the only ticket');
  });

  test('calls of one step have ids of their own, and each its result', async () => {
    const one = talk();
    if (one.stage.arrange('calls two tools', []) === null) return;
    const { last } = await one.say('calls two tools', [
      {
        is: 'calls',
        calls: [
          { name: 'list_issues', args: {} },
          { name: 'get_issue', args: { id: 'HB-1' } },
        ],
      },
      { is: 'answers', reply: 'Both are read.' },
    ]);
    expect(last.type).toBe('done');
    expect(one.calls.map(call => call.name)).toEqual(['list_issues', 'get_issue']);
    expect(new Set(one.calls.map(call => call.id)).size).toBe(2);
  });

  test('what was not granted is not run, and the turn goes on', async () => {
    const one = talk();
    if (one.stage.arrange('calls what it was not granted', []) === null) return;
    const { events, last } = await one.say('calls what it was not granted', [
      { is: 'calls', calls: [{ name: 'delete_everything', args: {} }] },
      { is: 'answers', reply: 'I may not.' },
    ]);
    expect(last).toMatchObject({ type: 'done', output: { reply: 'I may not.' } });
    expect(one.calls).toEqual([]);
    expect(events.filter(event => event.type === 'tool' && event.change === 'completed')).toEqual([]);
    expect(one.stage.backend.capabilities.toolBoundary).toBe(true);
  });

  test('an answer of another form is asked for again', async () => {
    const one = talk();
    if (!one.stage.backend.capabilities.structuredOutput) return;
    if (one.stage.arrange('misfits', []) === null) return;
    const { last } = await one.say('misfits', [{ is: 'misfits' }, { is: 'answers', reply: 'Now it fits.' }]);
    expect(last).toMatchObject({ type: 'done', output: { reply: 'Now it fits.' } });
  });

  test('a fork knows what was said, and leaves the session that it comes from as it was', async () => {
    const one = talk();
    await one.say('answers', [{ is: 'answers', reply: 'The first reply.' }]);
    const origin = one.session;
    if (origin.mode === 'fresh') throw new Error('no session');
    const forked = await one.say('answers', [{ is: 'answers', reply: 'In the copy.' }], {
      session: { ...origin, mode: 'fork' },
    });
    const [event] = forked.events;
    if (event?.type !== 'session') throw new Error('no session');
    expect(event.id).not.toBe(origin.id);
    if (!one.stage.backend.capabilities.fork) {
      expect(event.degraded ?? '').not.toBe('');
      return;
    }
    expect(event.how).toBe('forked');
    one.session = origin;
    const again = await one.say('answers', [{ is: 'answers', reply: 'In the original.' }]);
    expect(again.events[0]).toMatchObject({ id: origin.id, how: 'resumed' });
    const heard = one.stage.heard()?.at(-1);
    if (heard === undefined) return;
    expect(times('The first reply.', heard)).toBe(1);
    expect(heard).not.toContain('In the copy.');
  });
}

const ENDINGS: ReadonlySet<string> = new Set(['done', 'parked', 'stopped', 'failed']);
