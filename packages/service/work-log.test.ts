import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, emit, narrate, reply } from '@hearth/backends/testing/scripted/step.ts';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { endAll, newHome, serve } from './testing/served.ts';

/* What the log tells of work, and that nobody's words are in it. */

afterEach(endAll);

interface Line {
  readonly level: string;
  readonly event: string;
  readonly change?: string;
  readonly turn?: string;
  readonly conversation?: string;
}

/** A conversation in which everything that can be said is `word`; the log's text and its lines. */
async function logged(word: string, env: Readonly<Record<string, string>>): Promise<[string, Line[]]> {
  const home = newHome();
  const served = await serve(
    turn =>
      turn.answers.length > 0
        ? [reply(word, { quick_replies: [word] })]
        : [
            narrate(word),
            emit({ type: 'tool', call: 'x', name: word, change: 'started', title: word, mutates: true }),
            emit({ type: 'tool', call: 'x', name: word, change: 'failed', detail: word, mutates: true }),
            ask(word, [{ id: word, label: word }]),
          ],
    { home, env },
  );
  const c = (await served.client.create({ bot: 'hello', title: word })).view.id;
  await served.client.send(c, { text: word, delivery: 'queue' });
  const { pauses } = await served.until(c, view => view.state === 'waiting');
  await served.client.decide(c, pauses[0]!.id, { do: 'answer', option: word });
  await served.until(c, view => view.state === 'idle');
  await served.client.patch(c, { title: `${word} again` });
  await served.service.stop();
  const path = join(home, 'logs/service.log');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return [
    text,
    text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Line),
  ];
}

test('turns and runs are told with their ids; every step where that is asked for', async () => {
  const [, quiet] = await logged('some words', {});
  const events = (lines: Line[]) => lines.map(({ event, change = '' }) => `${event} ${change}`.trim());
  expect(events(quiet)).toEqual(
    expect.arrayContaining([
      'conversation renamed',
      'run started',
      'turn started',
      'turn waiting',
      'turn completed',
    ]),
  );
  expect(quiet.filter(line => line.event === 'turn').every(line => line.turn === 't1')).toBe(true);
  expect(quiet.some(line => line.level === 'debug')).toBe(false);
  const [, all] = await logged('some words', { HEARTH_LOG: 'debug' });
  expect(events(all)).toEqual(
    expect.arrayContaining([
      'node started',
      'node ended',
      'session opened',
      'tool failed',
      'pause opened',
      'pause closed',
    ]),
  );
  const [, faults] = await logged('some words', { HEARTH_LOG: 'error' });
  expect(faults).toEqual([]);
});

test('nothing that anybody says is in it', async () => {
  const words = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 40 }).map(text => `said ${text}`);
  await fc.assert(
    fc.asyncProperty(words, async word => {
      const [text] = await logged(word, { HEARTH_LOG: 'debug' });
      expect(text).not.toContain(JSON.stringify(word).slice(1, -1));
    }),
    { numRuns: 3 },
  );
});
