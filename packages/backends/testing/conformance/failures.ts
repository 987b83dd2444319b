import type { BackendFailure } from '@hearth/engine/backend.ts';
import { expect, test } from 'vitest';
import type { Present } from './kit.ts';
import type { ProviderFault } from './subject.ts';
import { RECAP } from './talk.ts';

/* How a turn fails: with a code that says what to do, in words for a person, and never with an answer. */

const FAULTS: Readonly<Record<ProviderFault, readonly BackendFailure[]>> = {
  'refuses the key': ['auth'],
  'has no quota left': ['quota'],
  'is overloaded': ['overloaded'],
  'cuts the stream': ['network'],
  'speaks another protocol': ['protocol'],
  'finds the conversation too long': ['context_length'],
  'does not know the model': ['missing'],
  'says nothing': ['quiet', 'cold'],
};

/** No silence is too long. */
const PATIENT = { quietMs: 10 ** 12 };

export function failureTests({ talk }: Present): void {
  const faults = Object.keys(FAULTS) as ProviderFault[];
  test.each(faults)('a provider that %s is told as what it is, and the next turn does well', async fault => {
    const one = talk();
    const words = one.stage.arrange(`fails: ${fault}`, [{ is: 'fails', how: fault }]);
    if (words === null) return;
    // Only where the provider says nothing may silence be what ends the turn.
    const { events, last } = await one.inTime(
      one.start(one.turn(words, fault === 'says nothing' ? {} : PATIENT)).told,
    );
    if (last.type !== 'failed') throw new Error(`it ended with ${JSON.stringify(last)}`);
    expect(FAULTS[fault]).toContain(last.code);
    expect(last.message).toMatch(/^[^\n]{20,600}[.…]$/);
    expect(last.message).not.toMatch(/\bat .*:\d+:\d+|sk-fake|undefined|\[object/);
    if (fault !== 'cuts the stream') expect(last.began).toBe(false);
    expect(events.filter(event => event.type === 'narration')).toEqual([]);
    const next = await one.say('answers', [{ is: 'answers', reply: 'Well again.' }]);
    expect(next.last).toMatchObject({ type: 'done', output: { reply: 'Well again.' } });
  });

  test('a failure after a tool has run says that something may have happened, and nothing is run again', async () => {
    const one = talk();
    const words = one.stage.arrange('fails: is overloaded', [
      { is: 'calls', calls: [{ name: 'close_issue', args: { id: 'HB-1' } }] },
      { is: 'fails', how: 'is overloaded' },
    ]);
    if (words === null) return;
    const { last } = await one.inTime(one.start(one.turn(words, PATIENT)).told);
    expect(last).toMatchObject({ type: 'failed', code: 'overloaded', began: true });
    expect(one.calls.map(call => call.name)).toEqual(['close_issue']);
  });

  test('an answer that never fits is a failure, after two repairs at most', async () => {
    const one = talk();
    if (!one.stage.backend.capabilities.structuredOutput) return;
    const misfits = Array.from({ length: 8 }, () => ({ is: 'misfits' as const }));
    const words = one.stage.arrange('misfits for good', misfits);
    if (words === null) return;
    const { last } = await one.start(one.turn(words)).told;
    expect(last).toMatchObject({ type: 'failed', code: 'schema' });
    expect(one.stage.heard()?.length).toBe(3);
  });

  test('a lost session is replaced by one that knows the latest words, and says so', async () => {
    const one = talk();
    await one.say('answers', [{ is: 'answers', reply: 'Good day.' }]);
    await one.stage.loseSessions();
    const { events, last } = await one.say('answers', [{ is: 'answers', reply: 'Good day again.' }]);
    expect(events[0]).toMatchObject({
      type: 'session',
      how: 'reseeded',
      degraded: expect.stringMatching(/\w/),
    });
    expect(last.type).toBe('done');
    const heard = one.stage.heard()?.at(-1);
    if (heard !== undefined) expect(heard).toContain(RECAP.turns[0]?.text);
    const third = await one.say('answers', [{ is: 'answers', reply: 'And again.' }]);
    expect(third.events[0]).toMatchObject({ how: 'resumed' });
    expect(third.events[0]).not.toHaveProperty('degraded');
  });

  test('a turn that is strict fails without its session, before anything began', async () => {
    const one = talk();
    await one.say('answers', [{ is: 'answers', reply: 'Good day.' }]);
    await one.stage.loseSessions();
    const { session } = one;
    if (session.mode === 'fresh') throw new Error('no session');
    const requests = one.stage.heard()?.length;
    const { last } = await one.say('answers', [], { session: { ...session, strict: true } });
    expect(last).toMatchObject({ type: 'failed', code: 'session_lost', began: false });
    expect(one.stage.heard()?.length).toBe(requests);
  });
}
