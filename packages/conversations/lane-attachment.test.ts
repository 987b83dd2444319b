import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import { done, message, session, started } from './testing/sample-home.ts';
import { laneOf, seqs } from './testing/lanes.ts';

/* What whoever attaches to a lane gets, and what its log and its long texts hold. */

describe('whoever attaches', () => {
  it('R13.28: gets the same frames as everybody else, each once and in order', async () => {
    const lane = await laneOf(await started());
    const [a, b]: Frame[][] = [[], []];
    await lane.attach(null, frame => a!.push(frame));
    await lane.attach(null, frame => b!.push(frame));
    for (const text of ['one', 'two', 'three']) {
      await lane.send(message(text));
      await lane.settled();
    }
    expect(seqs(a!)).toEqual(seqs(a!).map((_, index) => index + 1));
    expect(seqs(a!).length).toBeGreaterThan(20);
    expect(b).toEqual(a);
  });

  it('continues after its cursor, and stops when it lets go', async () => {
    const lane = await laneOf(await started());
    await lane.send(message('one'));
    await lane.settled();
    const after = lane.view().head;
    const frames: Frame[] = [];
    const off = await lane.attach(after, frame => frames.push(frame));
    expect(frames).toEqual([]);
    await lane.send(message('two'));
    await lane.settled();
    const count = frames.length;
    expect(seqs(frames)[0]).toBe(Number(after.split('.')[1]) + 1);
    off();
    await lane.send(message('three'));
    await lane.settled();
    expect(frames).toHaveLength(count);
  });

  it.each([
    ['7.1.aaaaaa', 'epoch_changed'],
    ['1.99999.aaaaaa', 'cursor_ahead'],
    ['1.2.ffffff', 'epoch_changed'],
    ['nonsense', 'cursor_invalid'],
  ])(
    'with the cursor %s is told %s once, with the state, and goes on from the boundary',
    async (cursor, code) => {
      const lane = await laneOf(await started());
      await lane.send(message('one'));
      await lane.settled();
      const frames: Frame[] = [];
      await lane.attach(cursor, frame => frames.push(frame));
      const view = lane.view();
      expect(frames[0]).toEqual({
        frame: 'recover',
        recovery: { code, resetCursor: view.retained, stateCursor: view.head, view },
      });
      expect(seqs(frames)).toEqual(Array.from({ length: frames.length - 1 }, (_, index) => index + 1));
    },
  );

  it('sees drafts at a measured pace, and none after the words are out', async () => {
    const gate = Promise.withResolvers<void>();
    async function* drafting(): AsyncGenerator<BackendEvent> {
      yield session;
      for (const text of ['a', 'ab', 'abc', 'abcd']) yield { type: 'draft', text };
      await gate.promise;
      yield done('abcd');
    }
    const home = await started({ script: drafting });
    const lane = await laneOf(home);
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    await lane.send(message('go'));
    const drafts = () => frames.flatMap(frame => (frame.frame === 'draft' ? [frame.text] : []));
    while (drafts().length === 0) await new Promise(resolve => setImmediate(resolve));
    await new Promise(resolve => setImmediate(resolve));
    expect(drafts()).toEqual(['a']);
    home.clock.advance(60);
    expect(drafts()).toEqual(['a', 'abcd']);
    gate.resolve();
    await lane.settled();
    home.clock.advance(1000);
    expect(drafts()).toHaveLength(2);
  });
});

describe('the log', () => {
  it('is trimmed, tells those who come late, and keeps every word in the history', async () => {
    const lane = await laneOf(await started());
    const old = lane.view().head;
    for (let turn = 0; turn < 50; turn += 1) {
      await lane.send(message(`message ${turn}`));
      await lane.settled();
    }
    const [epoch, head] = lane.view().head.split('.').map(Number);
    const kept = head! - Number(lane.view().retained.split('.')[1]);
    expect(epoch).toBe(1);
    expect(head).toBeGreaterThan(500);
    expect(kept).toBeLessThanOrEqual(500);
    expect(kept).toBeGreaterThanOrEqual(400);
    expect(await lane.page(old, 10)).toMatchObject({ code: 'cursor_expired', view: { state: 'idle' } });
    const words: string[] = [];
    for (let before: number | null = null; ; ) {
      const page = await lane.history(before, 7);
      words.unshift(
        ...page.items.flatMap(line =>
          line.is === 'said' && typeof line.text === 'string' ? [line.text] : [],
        ),
      );
      if (!page.hasOlder) break;
      before = page.previous;
    }
    expect(words).toEqual(Array.from({ length: 50 }, (_, turn) => `message ${turn}`));
  });
});

describe('long text', () => {
  it('is kept as a blob and referred to', async () => {
    const lane = await laneOf(await started());
    const text = 'é'.repeat(40_000);
    await lane.send(message(text));
    const { items } = await lane.history(null, 1);
    const said = items.find(line => line.is === 'said');
    if (said?.is !== 'said' || typeof said.text === 'string') throw new Error('no reference');
    expect(said.text.bytes).toBe(80_000);
    expect(new TextDecoder().decode((await lane.blob(said.text.blob))!)).toBe(text);
  });
});
