import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ServiceProcess } from '../support/service-process.ts';
import { tempDirectory } from '../support/temp.ts';
import type { Row } from './row.ts';
import { quantile, row } from './row.ts';

/* How long until everybody who is attached has seen a message, from the moment at which it is posted. */

const STREAMS = 100;
const MESSAGES = 40;

type Opened = () => Promise<ReadableStream<Uint8Array>>;

/** When each of the streams had each of the messages, in milliseconds. */
interface Times {
  /** Since it was posted. */
  readonly posted: number[];
  /** Since the first of the streams had it: what is left when accepting it is taken away. */
  readonly spread: number[];
}

async function fanOut(open: Opened, post: (id: string) => Promise<unknown>): Promise<Times> {
  let times: Times = { posted: [], spread: [] };
  let awaited = '';
  let first: number | null = null;
  let from = 0;
  let missing = 0;
  let done: () => void = () => undefined;
  async function listen(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      rest += decoder.decode(chunk, { stream: true });
      if (awaited === '' || !rest.includes(awaited)) continue;
      const now = performance.now();
      first ??= now;
      times.posted.push(now - from);
      times.spread.push(now - first);
      rest = '';
      missing -= 1;
      if (missing === 0) done();
    }
  }
  const bodies = await Promise.all(Array.from({ length: STREAMS }, open));
  const listening = bodies.map(body => listen(body).catch(() => undefined));
  for (let n = 0; n <= MESSAGES; n += 1) {
    const all = new Promise<void>(resolve => {
      done = resolve;
    });
    missing = STREAMS;
    first = null;
    awaited = randomUUID();
    from = performance.now();
    await post(awaited);
    await all;
    awaited = '';
    // The first one finds streams that still read whether there is a backlog, and sets going what never ran before.
    if (n === 0) times = { posted: [], spread: [] };
    // What the message set going is over before the next one.
    await new Promise(resolve => setTimeout(resolve, n === 0 ? 1000 : 50));
  }
  void listening;
  return times;
}

async function echo(): Promise<Times> {
  const program = fileURLToPath(new URL('./echo.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const address = String(line).trim();
  const ends = new AbortController();
  const body = (id: string): string => JSON.stringify({ id, text: 'x'.repeat(500) });
  const times = await fanOut(
    async () => streamOf(await fetch(address, { signal: ends.signal })),
    id => fetch(address, { method: 'POST', body: body(id) }).then(answer => answer.text()),
  );
  ends.abort();
  child.kill();
  return times;
}

function streamOf(answer: Response): ReadableStream<Uint8Array> {
  if (answer.body === null) throw new Error('the stream has no body');
  return answer.body;
}

export async function fannedOut(): Promise<readonly Row[]> {
  const service = await ServiceProcess.start(tempDirectory('bench'));
  const { client } = service;
  const { id, head } = await client.default();
  const ends = new AbortController();
  const ours = await fanOut(
    () => client.openStream(id, head, ends.signal),
    commandId => client.send(id, { text: 'hello', delivery: 'queue', commandId }),
  );
  ends.abort();
  await service.stop();
  const floor = await echo();
  const posted = `a message posted → on ${STREAMS} streams`;
  return [
    row(`${posted}, p50`, quantile(ours.posted, 0.5), quantile(floor.posted, 0.5)),
    row(`${posted}, p99`, quantile(ours.posted, 0.99), quantile(floor.posted, 0.99), 'ms', '≤ 15 ms'),
    row('from the first of them to the others, p50', quantile(ours.spread, 0.5), quantile(floor.spread, 0.5)),
    row(
      'from the first of them to the others, p99',
      quantile(ours.spread, 0.99),
      quantile(floor.spread, 0.99),
    ),
  ];
}
