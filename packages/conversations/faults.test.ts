import type { BackendEvent } from '@hearth/engine/backend.ts';
import { describe, expect, it } from 'vitest';
import { done, message, type Sample, session, started } from './testing/sample-home.ts';

/* What must hold when a write, a close or an interrupt falls into an awkward moment. */

const command = () => {
  const { commandId, actor } = message('');
  return { commandId, actor };
};
const laneOf = async ({ conversations }: Sample) => conversations.lane(await conversations.default());
const turns = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await turns();
}

describe('a lane', () => {
  it('never brings back a message that it rejected, though the journal could not be cut at first', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    home.disk.failNext('appendSync', 'disk_failed');
    home.disk.failNext('truncate', 'read_only');
    await expect(lane.send(message('two'))).rejects.toMatchObject({ code: 'disk_failed' });
    await lane.ready();
    expect(lane.view().trouble).toBeDefined();
    await lane.send(message('four'));
    await lane.settled();
    const said = (await lane.history(null, 10)).items.flatMap(line =>
      line.is === 'said' ? [line.text] : [],
    );
    expect(said).toEqual(['one', 'four']);
  });

  it('is not closed while an interrupted turn that was taken up again runs', async () => {
    const gate = Promise.withResolvers<void>();
    async function* script(): AsyncGenerator<BackendEvent> {
      yield session;
      await gate.promise;
      yield done('ok');
    }
    const home = await started({ script });
    const made = await home.conversations.create({ ...command(), scope: { kind: 'global' } });
    const lane = await home.conversations.lane(made.view.id);
    await lane.send(message('one'));
    await waitFor(() => home.backend.turns.length === 1);
    await lane.interrupt({ ...command(), turn: 't1' });
    await waitFor(() => lane.view().pauses.some(pause => pause.kind === 'recovery'));
    const [recovery] = lane.view().pauses;
    await lane.decide({ ...command(), pause: recovery!.id, act: { do: 'answer', option: 'again' } });
    await waitFor(() => home.backend.turns.length === 2);
    expect(lane.view()).toMatchObject({ state: 'working', turn: { id: 't1', status: 'running' } });
    expect(await home.conversations.close(lane.id, command())).toMatchObject({ refused: { code: 'active' } });
    gate.resolve();
    await lane.settled();
  });

  it('keeps narration that is too long for an event as a blob', async () => {
    const long = 'n'.repeat(300_000);
    async function* script(): AsyncGenerator<BackendEvent> {
      yield session;
      yield { type: 'narration', text: long };
      yield done('ok');
    }
    const lane = await laneOf(await started({ script }));
    await lane.send(message('one'));
    await lane.settled();
    const page = await lane.page(null, 100);
    const events = 'events' in page ? page.events.map(({ event }) => event) : [];
    const told = events.find(event => event.type === 'narration');
    expect(told).toMatchObject({ turn: 't1', text: { bytes: long.length } });
    const blob =
      told?.type === 'narration' && typeof told.text !== 'string' ? await lane.blob(told.text.blob) : null;
    expect(new TextDecoder().decode(blob ?? undefined)).toBe(long);
  });

  it('accepts no message into a conversation that goes into the trash, whatever the moment', async () => {
    for (let moments = 0; moments < 40; moments += 1) {
      const home = await started();
      const made = await home.conversations.create({ ...command(), scope: { kind: 'global' } });
      const lane = await home.conversations.lane(made.view.id);
      const sent = lane.send(message('keep me')).then(
        reply => reply.receipt !== null,
        () => false,
      );
      for (let n = 0; n < moments; n += 1) await Promise.resolve();
      const closed = await home.conversations.close(lane.id, command()).then(
        reply => reply.refused === undefined,
        () => false,
      );
      expect([await sent, closed]).not.toEqual([true, true]);
      await home.conversations.closeAll();
    }
  });
});
