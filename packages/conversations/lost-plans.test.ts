import { expect, it } from 'vitest';
import { HOME, message, started } from './testing/sample-home.ts';

/* A plan beside a conversation that cannot be read any more. */

const damages = [
  ['cut in half', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
  ['garbage', () => new TextEncoder().encode('garbage')],
  ['gone', () => null],
] as const;

/** A conversation that was closed after a turn, and where its plan is. */
async function closed() {
  const { conversations, disk } = await started();
  const id = await conversations.default();
  const lane = await conversations.lane(id);
  await lane.send(message('one'));
  await lane.settled();
  await conversations.closeAll();
  const plans = `${HOME}/conversations/${id}/epochs/1/plans`;
  const [name = ''] = await disk.list(plans);
  return { disk, id, plan: `${plans}/${name}` };
}

it.each(damages)(
  '%s: it is made again from the same bundle, and the conversation goes on',
  async (_name, damage) => {
    const { disk, id, plan } = await closed();
    const damaged = damage((await disk.read(plan))!);
    if (damaged === null) await disk.remove(plan);
    else await disk.write(plan, damaged);

    const again = await started({ disk });
    const opened = await again.conversations.lane(id);
    await opened.send(message('two'));
    await opened.settled();
    expect(opened.view().state).toBe('idle');
    expect((await opened.history(null, 10)).items.filter(item => item.is === 'said')).toHaveLength(2);
  },
);
