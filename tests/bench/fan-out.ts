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

/** The times until each of the streams has had each of the messages. */
async function fanOut(open: Opened, post: (id: string) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  let awaited = '';
  let from = 0;
  let missing = 0;
  let done: () => void = () => undefined;
  async function listen(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      rest += decoder.decode(chunk, { stream: true });
      if (awaited === '' || !rest.includes(awaited)) continue;
      times.push(performance.now() - from);
      rest = '';
      missing -= 1;
      if (missing === 0) done();
    }
  }
  const bodies = await Promise.all(Array.from({ length: STREAMS }, open));
  const listening = bodies.map(body => listen(body).catch(() => undefined));
  for (let n = 0; n < MESSAGES; n += 1) {
    const all = new Promise<void>(resolve => {
      done = resolve;
    });
    missing = STREAMS;
    awaited = randomUUID();
    from = performance.now();
    await post(awaited);
    await all;
    awaited = '';
    // What the message set going is over before the next one.
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  void listening;
  return times;
}

async function echo(): Promise<readonly number[]> {
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
  return [
    row(`a message posted → on ${STREAMS} streams, p50`, quantile(ours, 0.5), quantile(floor, 0.5)),
    row(
      `a message posted → on ${STREAMS} streams, p99`,
      quantile(ours, 0.99),
      quantile(floor, 0.99),
      'ms',
      '≤ 15 ms',
    ),
  ];
}
