import type { BackendTurn, Host } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolResult } from '@hearth/engine/tool.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { expect, test } from 'vitest';
import { Calls } from './calls.ts';
import { messagesOf } from './history.ts';
import type { Call } from './line.ts';
import { Trees } from './trees.ts';

/* The calls of one step: at once, each result kept as soon as it is known, and told in the order of the calls. */

const FREE = { mode: 'free', full: false } as const;
const callOf = (id: string): Call => ({ is: 'call', call: id, name: 'look', args: {} });

async function stage(
  ids: readonly string[],
  run: (call: ToolCall) => Promise<ToolResult>,
  disk: SimDisk = new SimDisk(),
) {
  const transcript = await new Trees(disk).create('/backend/nexie', 's1', []);
  const parts = ids.map(callOf);
  await transcript.append([{ line: 'step', by: 'a', model: 'm', parts }]);
  const made: string[] = [];
  const host: Host = {
    call: call => {
      made.push(call.id);
      return run(call);
    },
    permit: () => Promise.resolve('allow'),
  };
  const turn = { output: null, mayAsk: true } as unknown as BackendTurn;
  const ports = { disk, clock: new SimClock(), ids: countedIds(), env: {} };
  const calls = new Calls({ turn, host, ports, transcript, signal: new AbortController().signal });
  const results = async (): Promise<readonly string[]> => {
    const kept = await new Trees(disk).open('/backend/nexie', 's1');
    return kept?.lines.flatMap(line => (line.line === 'result' ? [line.call] : [])) ?? [];
  };
  return { calls, parts, made, transcript, results };
}

test('begin in their order without waiting; what ends first is kept first, and told in its place', async () => {
  const gates = new Map(['c1', 'c2', 'c3'].map(id => [id, Promise.withResolvers<ToolResult>()]));
  const one = await stage(['c1', 'c2', 'c3'], call => gates.get(call.id)!.promise);
  const handled = one.calls.handle(one.parts, FREE);
  expect(one.made).toEqual(['c1', 'c2', 'c3']);
  gates.get('c3')?.resolve({ content: 'third' });
  await expect.poll(one.results).toEqual(['c3']);
  gates.get('c1')?.resolve({ content: null, error: 'first' });
  gates.get('c2')?.resolve({ content: 'second' });
  await handled;
  const told = messagesOf(one.transcript.lines, 'a', 'm').at(-1);
  expect(told?.content).toMatchObject([
    { toolCallId: 'c1', output: { type: 'error-text', value: 'first' } },
    { toolCallId: 'c2', output: { value: 'second' } },
    { toolCallId: 'c3', output: { value: 'third' } },
  ]);
});

test('one that breaks the turn takes no result from the others', async () => {
  const one = await stage(['c1', 'c2'], async call => {
    if (call.id === 'c1') throw new Error('the disk takes no writes');
    await new Promise(resolve => setImmediate(resolve));
    return { content: 'second' };
  });
  await expect(one.calls.handle(one.parts, FREE)).rejects.toThrow('takes no writes');
  expect(await one.results()).toEqual(['c2']);
});

test('of a thousand calls in one step the first 256 are made, and of each it is told what came of it', async () => {
  const ids = Array.from({ length: 1000 }, (_, at) => `c${at}`);
  const one = await stage(ids, () => Promise.resolve({ content: 'done' }));
  await one.calls.handle(one.parts, FREE);
  expect(one.made).toEqual(ids.slice(0, 256));
  expect(new Set(await one.results())).toEqual(new Set(ids));
  const told = JSON.stringify(messagesOf(one.transcript.lines, 'a', 'm').at(-1));
  expect(told.match(/was not made/g)).toHaveLength(744);
});

test('a crash between their results keeps each that was durable, and says of the others that they may have been', async () => {
  const { cases } = await enumerateCrashes<{ began: boolean; kept: readonly string[] }>({
    setup: disk => disk.makeDirectory('/backend/nexie'),
    progress: () => ({ began: false, kept: [] }),
    act: async (disk, progress) => {
      const gates = ['c1', 'c2', 'c3'].map(id => ({ id, ...Promise.withResolvers<ToolResult>() }));
      const one = await stage(
        ['c1', 'c2', 'c3'],
        call => gates.find(({ id }) => id === call.id)!.promise,
        disk,
      );
      progress.began = true;
      const handled = one.calls.handle(one.parts, FREE);
      // Where the disk stops is told where it is waited for.
      handled.catch(() => undefined);
      // The last ends first.
      for (const { id, resolve } of gates.toReversed()) {
        resolve({ content: `what ${id} found` });
        await new Promise(next => setImmediate(next));
        progress.kept = one.transcript.lines.flatMap(line => (line.line === 'result' ? [line.call] : []));
      }
      await handled;
    },
    check: async (disk, { began, kept }) => {
      const again = await new Trees(disk).open('/backend/nexie', 's1');
      if (!began) return;
      const told = messagesOf(again?.lines ?? [], 'a', 'm').at(-1)?.content;
      expect(told).toHaveLength(3);
      for (const [at, id] of ['c1', 'c2', 'c3'].entries()) {
        const { toolCallId, output } = (told as readonly { toolCallId: string; output: { value: string } }[])[
          at
        ]!;
        expect(toolCallId).toBe(id);
        if (kept.includes(id)) expect(output.value).toBe(`what ${id} found`);
        else expect(output.value).toMatch(/what c\d found|may have taken effect/);
      }
    },
  });
  expect(cases).toBeGreaterThan(40);
});
