import { randomUUID } from 'node:crypto';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { pick, seededRandom } from '@hearth/store/seeded-random.ts';
import { afterAll, expect, it } from 'vitest';
import { progress } from '../support/progress.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/*
 * A storm: three people send while the service is killed again and again, each time at another moment. Whoever got no
 * answer sends again under the same id. In the end every message is there once, and no number of the log was given twice.
 */

/** Overridden by `HEARTH_STORM` to replay one. */
const SEED = Number(process.env['HEARTH_STORM'] ?? Date.now() % 1_000_000);
const KILLS = Number(process.env['HEARTH_STORM_KILLS'] ?? 200);
/** A kill comes within so many milliseconds of the service's start. */
const CALM_MS = 400;

/** The service that runs now, which a failure must not leave behind. */
const running: ServiceProcess[] = [];
afterAll(async () => {
  for (const one of running) await one.kill();
  removeTemps();
});

it(`a storm of SIGKILLs loses and doubles nothing (HEARTH_STORM=${SEED})`, async () => {
  const random = seededRandom(SEED);
  const home = tempDirectory('storm');
  let service = await ServiceProcess.start(home);
  running.push(service);
  const c: ConversationId = (await service.client.default()).id;
  const acknowledged: string[] = [];
  let over = false;

  async function person(name: string): Promise<void> {
    for (let nth = 1; !over; nth += 1) {
      const text = `${name} says ${nth}`;
      const commandId = randomUUID();
      for (let sent = false; !sent; ) {
        sent = await service.client.send(c, { text, delivery: 'queue', commandId }).then(
          () => true,
          // Nobody answers, or the queue is full: the same again a little later.
          () => new Promise<boolean>(resolve => setTimeout(() => resolve(false), 20)),
        );
      }
      acknowledged.push(text);
    }
  }
  async function expectNothingLost(): Promise<void> {
    const page = await service.client.events(c, null, 500);
    if (!('events' in page)) throw new Error(`the log needs a recovery: ${page.code}`);
    const [first] = page.events;
    expect(page.events.map(({ event }) => event.seq)).toEqual(
      page.events.map((_, index) => (first?.event.seq ?? 0) + index),
    );
  }

  const people = ['ada', 'ben', 'cleo'].map(person);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await new Promise(resolve => setTimeout(resolve, pick(random, CALM_MS)));
    await service.kill();
    service = await ServiceProcess.start(home);
    running.push(service);
    // An interrupted turn needs nobody here: the next message takes it up.
    await expectNothingLost();
    if (kill % 20 === 0) progress(`${kill} of ${KILLS} kills, ${acknowledged.length} messages`);
  }
  over = true;
  await Promise.all(people);

  const said: string[] = [];
  for (let before: number | null = null; ; ) {
    const page = await service.client.history(c, before, 200);
    said.push(
      ...page.items.flatMap(line => (line.is === 'said' && typeof line.text === 'string' ? [line.text] : [])),
    );
    if (!page.hasOlder || page.previous === null) break;
    before = page.previous;
  }
  const queued = (await service.client.get(c)).queue.map(message => message.head);
  expect(new Set(said).size).toBe(said.length);
  expect(new Set([...said, ...queued])).toEqual(new Set(acknowledged));
  await service.stop();
});
