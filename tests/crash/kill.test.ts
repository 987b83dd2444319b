import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { turnReport } from '@hearth/client/report.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Event } from '@hearth/protocol/event.ts';
import { owes } from '@hearth/protocol/pause.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProject, TWELVE_TICKETS } from '../support/project.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';
import type { Fault } from './fault.ts';

/*
 * SIGKILL at every point of a turn. Each time the conversation must reopen with every acknowledged message once, the
 * turn settled or waiting in a recovery pause, and after one plain message the same session must go on.
 */

const project = makeProject();
const signal = AbortSignal.timeout(600_000);

async function say(client: HearthClient, c: ConversationId, text: string) {
  const { receipt } = await client.send(c, { text, delivery: 'queue', workspace: project });
  return turnReport({
    client,
    conversation: c,
    turn: receipt?.did.turn ?? null,
    message: receipt?.did.message ?? null,
    signal,
  });
}

async function eventsOf(client: HearthClient, c: ConversationId): Promise<Event[]> {
  const page = await client.events(c, null, 500);
  if (!('events' in page)) throw new Error(`the log needs a recovery: ${page.code}`);
  return page.events.map(({ event }) => event).filter(event => event.type !== 'unsupported');
}

/** What the backend keeps of its session, whatever the file is called. */
function sessionFile(home: string, c: ConversationId): string {
  const directory = join(home, 'conversations', c, 'epochs', '1', 'backend', 'nexie');
  const [name = ''] = readdirSync(directory).filter(file => file.endsWith('.json'));
  const kept: { id?: string; session?: string } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
  return kept.id ?? kept.session ?? JSON.stringify(kept).slice(0, 60);
}

/** The generation of journal that its snapshot names. */
function generationIn(home: string, c: ConversationId): number {
  const path = join(home, 'conversations', c, 'epochs', '1', 'snapshot.json');
  const { generation }: { generation: number } = JSON.parse(readFileSync(path, 'utf8'));
  return generation;
}

interface Seasoned {
  readonly home: string;
  readonly c: ConversationId;
  readonly session: string;
  /** Of its journal, which the next snapshot takes away. */
  readonly generation: number;
}

/** A home with one settled turn and a board, served by nobody; each crash works on a copy. */
async function seasonedHome(): Promise<Seasoned> {
  const home = tempDirectory('home');
  const service = await ServiceProcess.start(home);
  const { id: c } = await service.client.default();
  await service.client.importTickets(project, 'tickets.json', JSON.stringify(TWELVE_TICKETS));
  await say(service.client, c, 'hello');
  await service.stop();
  return { home, c, session: sessionFile(home, c), generation: generationIn(home, c) };
}

const messages = (events: readonly Event[], text: string): number =>
  events.filter(event => event.type === 'message' && event.by.kind === 'person' && event.text === text)
    .length;

/** What a crash left. */
interface Crashed {
  readonly home: string;
  readonly fault: Fault;
  /** Whether the request was acknowledged. */
  readonly acknowledged: boolean;
}

const REQUEST = 'move HB-2 to in_progress';

/** Waits until the snapshot that follows a settled turn is taken, with all that belongs to it: nobody else waits for it. */
async function snapshotTaken(home: string, { c, generation }: Seasoned): Promise<void> {
  const epoch = join(home, 'conversations', c, 'epochs', '1');
  while (generationIn(home, c) === generation || existsSync(join(epoch, `journal.${generation}.jsonl`)))
    await new Promise(resolve => setTimeout(resolve, 10));
}

/** Says the request in the home at an index, and waits until the service stands still there, or is done. */
async function saidUntil(service: ServiceProcess, index: number, home: string, seasoned: Seasoned) {
  const client = service.clients[index] ?? service.client;
  const over = new AbortController();
  const still = service.still(index).then(() => true);
  let acknowledged = false;
  const signals = AbortSignal.any([signal, over.signal]);
  const done = async (): Promise<boolean> => {
    const { c } = seasoned;
    const request = { text: REQUEST, delivery: 'queue', workspace: project, signal: signals } as const;
    const { receipt } = await client.send(c, request);
    acknowledged = true;
    const turn = receipt?.did.turn ?? null;
    await turnReport({ client, conversation: c, turn, signal: signals });
    await snapshotTaken(home, seasoned);
    return false;
  };
  // A request that finds it standing still is never answered, or not any more.
  const reached = await Promise.race([still, done().catch(() => still)]);
  // Its next attempt would reach whoever listens there next.
  over.abort();
  return { reached, acknowledged: () => acknowledged };
}

/**
 * Cuts a turn off at successive passes of a point, each in a home of its own. A service that comes by its point stands
 * still, and once all of them do, or are done, SIGKILL takes the process that holds them. `null` for a pass that never came.
 */
async function crashes(seasoned: Seasoned, faults: readonly Fault[]): Promise<(Crashed | null)[]> {
  const homes = faults.map(() => {
    const home = tempDirectory('crash');
    cpSync(seasoned.home, home, { recursive: true });
    return home;
  });
  const [first = '', ...others] = homes;
  const service = await ServiceProcess.startAll([first, ...others], faults);
  const outcomes = await Promise.all(homes.map((home, index) => saidUntil(service, index, home, seasoned)));
  await service.kill();
  return faults.map((fault, index) => {
    const [home, outcome] = [homes[index] ?? '', outcomes[index]];
    return outcome?.reached === true ? { home, fault, acknowledged: outcome.acknowledged() } : null;
  });
}

/** Reopens what a crash left, and checks. */
async function expectKept(client: HearthClient, crashed: Crashed, { c, session }: Seasoned): Promise<void> {
  const { home, fault, acknowledged } = crashed;
  const which = `${fault.at} ${fault.nth}`;
  const view = await client.get(c);
  const events = await eventsOf(client, c);
  expect(
    events.map(event => event.seq),
    which,
  ).toEqual(events.map((_event, index) => index + 1));
  const count = messages(events, REQUEST);
  if (acknowledged) expect(count, which).toBe(1);
  else expect(count, which).toBeLessThanOrEqual(1);
  expect(messages(events, 'hello'), which).toBe(1);

  if (view.turn !== null && view.turn.status === 'waiting') {
    expect(view.pauses.filter(owes), which).toMatchObject([{ kind: 'recovery' }]);
  }
  const [recovery] = view.pauses.filter(owes);
  if (recovery?.kind === 'recovery' && recovery.cause === 'uncertain') {
    await client.decide(c, recovery.id, { do: 'answer', option: 'again' });
  }
  const report = await say(client, c, 'hello again');
  expect(report, which).toMatchObject({ state: 'settled', questions: [] });
  expect(report.reply, which).not.toBe('');
  expect(sessionFile(home, c), which).toBe(session);
  const after = await eventsOf(client, c);
  expect(messages(after, 'hello again'), which).toBe(1);
  expect(
    after.filter(event => event.type === 'session').map(event => event.change),
    which,
  ).not.toContain('reseeded');
}

/**
 * How often the turn comes by each point, as far as is known. So many passes are tried at first, and one more, which must
 * not come any more: else others are tried, until one does not.
 */
const PASSES: ReadonlyMap<Fault['at'], number> = new Map([
  ['before commit', 11],
  ['after commit', 11],
  ['before snapshot', 1],
  ['after snapshot', 1],
  ['session', 1],
  ['narration', 2],
  ['draft', 4],
  ['done', 1],
  ['before tool', 3],
  ['in tool', 3],
  ['after tool', 3],
]);
/** How many more are tried of a point that the turn comes by more often, and how many there may be. */
const [MORE, MOST] = [8, 40];

/** What a crash at each pass of each point left, up to one that never came. */
async function crashedEverywhere(seasoned: Seasoned): Promise<Map<Fault['at'], (Crashed | null)[]>> {
  const found = new Map([...PASSES.keys()].map(at => [at, [] as (Crashed | null)[]]));
  for (;;) {
    const faults = [...found].flatMap(([at, all]) => {
      if (all.includes(null) || all.length > MOST) return [];
      const count = all.length === 0 ? (PASSES.get(at) ?? 0) + 1 : MORE;
      return Array.from({ length: count }, (_, index) => ({ at, nth: all.length + index + 1 }));
    });
    if (faults.length === 0) return found;
    const outcomes = await crashes(seasoned, faults);
    for (const [index, { at }] of faults.entries()) found.get(at)?.push(outcomes[index] ?? null);
  }
}

describe('SIGKILL of the service', () => {
  let seasoned: Seasoned;
  let found: ReadonlyMap<Fault['at'], readonly (Crashed | null)[]>;
  let again: ServiceProcess;
  const clients = new Map<string, HearthClient>();

  // A process is what takes time: one has all the services that are cut off, and another all those that open what is left.
  beforeAll(async () => {
    seasoned = await seasonedHome();
    found = await crashedEverywhere(seasoned);
    const homes = [...found.values()].flatMap(all => all.flatMap(one => (one === null ? [] : [one.home])));
    const [first = '', ...others] = homes;
    again = await ServiceProcess.startAll([first, ...others]);
    for (const [index, home] of homes.entries()) clients.set(home, again.clients[index] ?? again.client);
  }, 300_000);
  afterAll(async () => {
    await again.stop();
    removeTemps();
  });

  it.each([...PASSES.keys()])('%s, all through the turn', { timeout: 300_000 }, async at => {
    // Else there would be points beyond the last one that was tried.
    expect(found.get(at)).toContain(null);
    const crashed = found.get(at)?.filter(one => one !== null) ?? [];
    // Else the turn never came by.
    expect(crashed).not.toEqual([]);
    await Promise.all(crashed.map(one => expectKept(clients.get(one.home) ?? again.client, one, seasoned)));
  });
});
