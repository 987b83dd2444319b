import { Hearth } from '../support/hearth.ts';
import { grow } from '../support/large-conversation.ts';
import { copies, waitingHome } from '../support/many-conversations.ts';
import { makeProject } from '../support/project.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { tempDirectory } from '../support/temp.ts';
import type { Row } from './row.ts';
import { many, quantile, row, timed } from './row.ts';

/* Homes that are large, under a real service in a process of its own. */

const MIB = 1024 * 1024;
const LIST_MS = 30;
const OPEN_MS = 100;
const OPEN_MIB = 64;
const EACH_BYTES = 4096;
const BOOT_MS = 1000;
const STARTS = 5;
/** Time after which a file's mark tells it from a later change, and some. */
const FRESH_MS = 4000;

/** A conversation of 128 MiB: from nobody having opened it to its first page. */
export async function opening(): Promise<readonly Row[]> {
  const home = tempDirectory('bench');
  const first = await ServiceProcess.start(home);
  const { client } = first;
  const { view } = await client.create({ title: 'large' });
  await client.send(view.id, { text: 'hello', delivery: 'queue' });
  while ((await client.get(view.id)).turn !== null) await new Promise(resolve => setTimeout(resolve, 20));
  await first.stop();
  await grow(home, view.id, 128 * MIB);

  const service = await ServiceProcess.start(home);
  await service.client.default();
  const before = await service.facts();
  const time = await timed(() => service.client.history(view.id, null, 20));
  const after = await service.facts();
  await service.stop();
  return [
    row('open a conversation of 128 MiB, first page', time, OPEN_MS, 'ms', '≤ 1 ×'),
    row('memory that it takes', (after.rss - before.rss) / MIB, OPEN_MIB, 'MiB', '≤ 1 ×'),
  ];
}

/** A home of so many conversations, served by nobody. */
async function waitingHomeOf(count: number): Promise<string> {
  const hearth = new Hearth(tempDirectory('bench'), makeProject());
  const c = await waitingHome(hearth);
  copies(hearth.home, c, count - 1);
  // What was changed a moment ago can still change unnoticed, so that no index keeps it.
  await new Promise(resolve => setTimeout(resolve, FRESH_MS));
  return hearth.home;
}

/** Listing conversations that each owe an answer, on a home that was served before. */
export async function listing(): Promise<readonly Row[]> {
  const home = await waitingHomeOf(1000);
  // This process loads the schemas of answers with the first one, which is no work of the service that is measured.
  const before = await ServiceProcess.start(home);
  await before.client.list();
  await before.stop();
  const firsts: number[] = [];
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const service = await ServiceProcess.start(home);
    firsts.push(await timed(() => service.client.list()));
    times.push(...(await many(20, () => service.client.list())));
    await service.stop();
  }
  return [
    row(
      'list 1 000 conversations, a service’s first answer, p50',
      quantile(firsts, 0.5),
      LIST_MS,
      'ms',
      '≤ 1 ×',
    ),
    row('list 1 000 conversations, p50', quantile(times, 0.5), LIST_MS, 'ms', '≤ 1 ×'),
  ];
}

/** A service of conversations that each owe an answer, against one of a single such conversation. */
export async function paused(): Promise<readonly Row[]> {
  const one = await waitingHomeOf(1);
  await started(one);
  const few = await started(one);
  const thousands = await waitingHomeOf(10_000);
  // The first one reads them all and writes the cache of the list that the next one has.
  const cold = await started(thousands);
  const all = await started(thousands);
  return [
    row('start with 10 000 paused conversations, the first time', cold.time, BOOT_MS, 'ms', '≤ 1 ×'),
    row('start with 10 000 paused conversations, again', all.time, BOOT_MS, 'ms', '≤ 1 ×'),
    row('from that start to its first list, the first time', cold.listed, null),
    row('from that start to its first list, again', all.listed, null),
    row('the same, against one conversation', all.time, few.time),
    row('timers of 10 000 paused conversations', all.timers - few.timers, null, '', '0'),
    row(
      'memory of each of 10 000 paused conversations',
      (all.heap - few.heap) / 10_000,
      EACH_BYTES,
      'B',
      '≤ 1 ×',
    ),
  ];
}

/** `listed`: from the beginning of the start to the whole list. */
async function started(
  home: string,
): Promise<{ time: number; listed: number; timers: number; heap: number }> {
  const from = performance.now();
  const service = await ServiceProcess.start(home);
  const time = performance.now() - from;
  await service.client.list();
  const listed = performance.now() - from;
  const { timers, heapUsed } = await service.facts();
  await service.stop();
  return { time, listed, timers, heap: heapUsed };
}
