import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, test } from 'vitest';
import { LearnedWindows } from './learned-windows.ts';

const HOME = '/home/p/.hearth';
const FILE = `${HOME}/windows.json`;

async function made() {
  const disk = new SimDisk();
  await disk.makeDirectory(HOME);
  const again = async () => {
    const one = new LearnedWindows({ disk, home: HOME });
    await one.open();
    return one;
  };
  return { disk, again, one: await again() };
}

test('what was learned is known to the next service, and what was taken back is not', async () => {
  const { again, one } = await made();
  one.learn('box small', 8192);
  one.learn('box other', 4096);
  one.forget('box other');
  await one.settled();
  const next = await again();
  expect([next.of('box small'), next.of('box other')]).toEqual([8192, undefined]);
});

test('what is learned before the file was read is added to it', async () => {
  const { disk, again, one } = await made();
  one.learn('first', 8192);
  await one.settled();
  const unread = new LearnedWindows({ disk, home: HOME });
  unread.learn('second', 4096);
  await unread.settled();
  expect([(await again()).of('first'), unread.of('first'), unread.of('second')]).toEqual([8192, 8192, 4096]);
});

test('only the latest of many models are kept, and names of any length do not grow the file', async () => {
  const { disk, again, one } = await made();
  for (let at = 0; at < 300; at += 1) one.learn(`model ${at}`, 1000 + at);
  one.learn('x'.repeat(10_000), 8192);
  await one.settled();
  const next = await again();
  expect([next.of('model 100'), next.of('model 299')]).toEqual([undefined, 1299]);
  expect((await disk.read(FILE))?.length).toBeLessThan(10_000);
});

test.each(['', '{', '{"format":2}', '{"format":1,"windows":{"a":"b"}}', '{"format":1,"windows":{"a":-1}}'])(
  'a file that holds %j holds nothing, and is written anew',
  async text => {
    const { disk, again } = await made();
    await disk.write(FILE, new TextEncoder().encode(text));
    const one = await again();
    expect(one.of('a')).toBeUndefined();
    one.learn('a', 8192);
    await one.settled();
    expect((await again()).of('a')).toBe(8192);
  },
);

test('where there is no home, or it takes nothing, it lasts as long as the service', async () => {
  const disk = new SimDisk();
  for (const home of [undefined, '/nowhere']) {
    const one = new LearnedWindows({ disk, ...(home === undefined ? {} : { home }) });
    await one.open();
    one.learn('a', 8192);
    await one.settled();
    expect(one.of('a')).toBe(8192);
  }
});
