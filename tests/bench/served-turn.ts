import { ServiceProcess } from '../support/service-process.ts';
import { tempDirectory } from '../support/temp.ts';
import { many, quantile, type Row, row } from './row.ts';

/* A whole turn of a real service in a process of its own, as a client sees it over HTTP. */

const WARM = 50;
const TURNS = 100;

/** From a message that is posted to the end of its turn on a stream; the bot is the smallest one, on the rehearsal. */
export async function overHttp(): Promise<readonly Row[]> {
  const service = await ServiceProcess.start(tempDirectory('bench'));
  const { client } = service;
  const { view } = await client.create({ bot: 'hello', title: 'turns' });
  const ends = new AbortController();
  let settle = (): void => undefined;
  const listen = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of await client.openStream(view.id, view.head, ends.signal))
      if (decoder.decode(chunk, { stream: true }).includes('"change":"completed"')) settle();
  };
  const listening = listen().catch(() => undefined);
  const turn = async (): Promise<void> => {
    const settled = Promise.withResolvers<void>();
    settle = settled.resolve;
    await client.send(view.id, { text: 'hello', delivery: 'queue' });
    await settled.promise;
  };
  await many(WARM, turn);
  const times = await many(TURNS, turn);
  ends.abort();
  await listening;
  await service.stop();
  return [row('a chat turn of the service on its rehearsal, over HTTP, p50', quantile(times, 0.5), null)];
}
