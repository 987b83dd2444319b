import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { expect } from 'vitest';
import { Hearth } from './hearth.ts';
import { copies, waitingHome } from './many-conversations.ts';
import { makeProject } from './project.ts';
import { ServiceProcess } from './service-process.ts';
import { tempDirectory } from './temp.ts';

async function waiting(client: HearthClient): Promise<ReadonlySet<ConversationId>> {
  const { conversations, damaged } = await client.list({ state: 'waiting' });
  expect(damaged).toEqual([]);
  return new Set(conversations.map(row => row.id));
}

async function answered(client: HearthClient, c: ConversationId): Promise<void> {
  const [pause] = (await client.get(c)).pauses;
  if (pause?.kind !== 'question') throw new Error(`${c} asks nothing`);
  await client.decide(c, pause.id, { do: 'answer', option: 'no' });
  await expect.poll(async () => (await client.get(c)).state).toBe('idle');
}

/**
 * So many conversations that each owe an answer: all are listed, none has a timer, any can be answered, and a SIGKILL
 * loses none. `progress` is told how far it is.
 */
export async function expectAllKept(
  count: number,
  progress: (line: string) => void = () => undefined,
): Promise<void> {
  const hearth = new Hearth(tempDirectory('home'), makeProject());
  const first = await waitingHome(hearth);
  const alone = await ServiceProcess.start(hearth.home);
  const { timers } = await alone.facts();
  await alone.stop();

  const all = new Set([first, ...copies(hearth.home, first, count - 1)]);
  progress(`${count} conversations are made`);
  const service = await ServiceProcess.start(hearth.home);
  let again: ServiceProcess | null = null;
  try {
    expect(await waiting(service.client)).toEqual(all);
    progress('all are listed, and wait');
    expect((await service.facts()).timers).toBe(timers);
    const sample = [...all].filter((_, index) => index % Math.ceil(count / 3) === 1);
    expect(sample.length).toBeGreaterThan(1);
    for (const c of sample) await answered(service.client, c);
    await service.kill();

    again = await ServiceProcess.start(hearth.home);
    const { client } = again;
    for (const c of sample) all.delete(c);
    // What was cut off before its snapshot is told as its journal has it, from the first answer on.
    expect(await waiting(client)).toEqual(all);
    expect((await client.list()).conversations).toHaveLength(count);
    progress('all but those that were answered wait after a SIGKILL');
  } finally {
    await service.stop();
    await again?.stop();
    progress('the service has stopped');
  }
}
