import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { publishedService } from '@hearth/service/service-file.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { tempDirectory } from '../support/temp.ts';
import type { Row } from './row.ts';
import { quantile, row } from './row.ts';
import { type Seen, StreamReaders } from './stream-readers.ts';

/*
 * How long until everybody who is attached has seen a message. Messages are counted, and not readings: the time of a message
 * is that of the last stream to have it. Between two of them the turn that the first one started comes to its end, and then
 * there is a pause in which whatever follows a turn may go on, and meet the next message as it may in life.
 */

const STREAMS = 100;
/** Messages before those that count: streams on their way in, and code that runs for the first time. */
const WARM = 40;
const MESSAGES = 300;
/** Milliseconds of a pause: at least, and as many more at most. */
const PAUSE = 25;

/** The readers' own collections of garbage come in the pauses. */
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const agent = new Agent({ keepAlive: true });

async function posted(url: string, headers: Readonly<Record<string, string>>, body: object): Promise<void> {
  const asked = request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  asked.end(JSON.stringify(body));
  const [answer] = await once(asked, 'response');
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`A message was answered with ${answer.statusCode}.`);
}

async function fanOut(readers: StreamReaders, post: (id: string) => Promise<void>): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  for (let n = 0; n < WARM + MESSAGES; n += 1) {
    const id = randomUUID();
    const seen = await readers.message(id, () => post(id));
    if (n >= WARM) all.push(seen);
    collect();
    await rest(PAUSE * (1 + Math.random()));
  }
  readers.close();
  return all;
}

async function echo(): Promise<readonly Seen[]> {
  const program = fileURLToPath(new URL('./echo.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const address = String(line).trim();
  const readers = await StreamReaders.attach(STREAMS, address, {}, null);
  const seen = await fanOut(readers, id => posted(address, {}, { id, text: 'x'.repeat(500) }));
  child.kill();
  return seen;
}

/** With the moments at which the service had made each message durable and published it. */
async function hearth(): Promise<{ readonly seen: readonly Seen[]; readonly synced: readonly number[] }> {
  const home = tempDirectory('bench');
  const service = await ServiceProcess.start(home);
  const { id: c, head } = await service.client.default();
  const file = await publishedService(nodeDisk, home);
  const url = `${file?.address ?? ''}/v1/conversations/${c}`;
  const authority = { authorization: `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}` };
  const readers = await StreamReaders.attach(
    STREAMS,
    `${url}/stream`,
    { ...authority, 'last-event-id': head },
    '"change":"completed"',
  );
  const actor = { kind: 'person', name: 'ada', surface: 'bench' };
  const seen = await fanOut(readers, commandId =>
    posted(`${url}/messages`, authority, { commandId, actor, text: 'hello', delivery: 'queue' }),
  );
  const { synced } = await service.facts();
  await service.stop();
  return { seen, synced };
}

export async function fannedOut(): Promise<readonly Row[]> {
  const { seen, synced } = await hearth();
  const floor = await echo();
  const whole = (one: Seen): number => one.last - one.posted;
  const spread = (one: Seen): number => one.last - one.first;
  // Nothing else is being written when a message is posted, so the first sync after that is its own.
  const published = (one: Seen): number => one.last - (synced.find(at => at > one.posted) ?? one.posted);
  const figures = (work: string, ours: number[], bare: number[], target = ''): Row[] => [
    row(`${work}, p50`, quantile(ours, 0.5), quantile(bare, 0.5)),
    row(`${work}, p99`, quantile(ours, 0.99), quantile(bare, 0.99), 'ms', target),
  ];
  const to = `→ on ${STREAMS} streams`;
  return [
    ...figures(`a message durable and published ${to}`, seen.map(published), floor.map(whole), '≤ 15 ms'),
    ...figures(`a message posted ${to}`, seen.map(whole), floor.map(whole), '≤ 15 ms'),
    ...figures('from the first of them to the last', seen.map(spread), floor.map(spread)),
  ];
}
