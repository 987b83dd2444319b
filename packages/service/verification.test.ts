import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, type Served, serve } from './testing/served.ts';
import { verifyThis } from './verify-home.ts';

afterEach(endAll);

/** Everything in a directory and when it was changed, so that a look can be shown to have changed nothing. */
function stateOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => `${name} ${statSync(join(root, name)).mtimeMs} ${statSync(join(root, name)).size}`);
}

async function used(): Promise<{ served: Served; c: ConversationId; epoch: string }> {
  const served = await serve(() => [reply('x'.repeat(70_000))]);
  const c = await served.conversation();
  for (const text of ['one', 'two']) {
    const { receipt } = await served.client.send(c, { text, delivery: 'queue' });
    expect(receipt).not.toBeNull();
    await served.until(c, view => view.state === 'idle' && view.turn === null);
  }
  return { served, c, epoch: join(served.home, 'conversations', c, 'epochs', '1') };
}

const damage = async (home: string): Promise<string[]> =>
  (await verifyThis(home)).findings.flatMap(one =>
    one.severity === 'damage' ? [`${one.path} ${one.what}`] : [],
  );

test('a used home is whole, beside its service and without it, and nothing is changed by looking', async () => {
  const { served, c } = await used();
  await served.client.addTicket(served.home, { title: 'A ticket' });
  const other = await served.conversation();
  await served.client.close(other);
  expect(await verifyThis(served.home)).toMatchObject({
    conversations: 2,
    trash: 1,
    boards: 1,
    findings: [],
  });
  await served.service.stop();
  const before = stateOf(served.home);
  expect(await damage(served.home)).toEqual([]);
  expect(await verifyThis(served.home, { only: c })).toMatchObject({
    conversations: 1,
    boards: 0,
    findings: [],
  });
  expect(stateOf(served.home)).toEqual(before);
});

/** Changes a byte in the middle of a file. */
function flip(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
/** Changes the first byte, so that it is no JSON any more. */
function flipStart(path: string): void {
  writeFileSync(path, `?${readFileSync(path, 'utf8').slice(1)}`);
}
/** The journal that the snapshot names. */
function journalIn(epoch: string): string {
  const { generation } = JSON.parse(readFileSync(join(epoch, 'snapshot.json'), 'utf8')) as {
    generation: number;
  };
  return join(epoch, `journal.${generation}.jsonl`);
}
const only = (directory: string, form: RegExp): string => {
  const name = readdirSync(directory).find(one => form.test(one));
  return join(directory, name ?? 'nothing of that form');
};
const lined = (path: string, change: (lines: string[]) => string[]): void =>
  writeFileSync(path, `${change(readFileSync(path, 'utf8').trimEnd().split('\n')).join('\n')}\n`);

test('each kind of damage is found where it is', async () => {
  const { served, c, epoch } = await used();
  await served.client.addTicket(served.home, { title: 'A ticket' });
  await served.service.stop();
  const { home } = served;
  const root = join(home, 'conversations', c);
  const board = join(home, 'boards', readdirSync(join(home, 'boards'))[0] ?? '');
  const kinds: readonly [string, () => void, RegExp][] = [
    ['a record', () => flipStart(join(root, 'conversation.json')), /conversation\.json is damaged/],
    ['no record', () => rmSync(join(root, 'conversation.json')), /conversation\.json is missing/],
    ['a snapshot', () => flipStart(join(epoch, 'snapshot.json')), /snapshot\.json is damaged/],
    ['a blob', () => flip(only(join(epoch, 'blobs'), /^[0-9a-f]{64}$/)), /blobs.* is not what its name says/],
    ['no blob', () => rmSync(only(join(epoch, 'blobs'), /^[0-9a-f]{64}$/)), /blobs does not hold sha256:/],
    ['a plan', () => flip(only(join(epoch, 'plans'), /\.json$/)), /plans.* is damaged/],
    ['no plan', () => rmSync(join(epoch, 'plans'), { recursive: true }), /plans does not hold the plan/],
    [
      'a gap in the log',
      () => lined(join(epoch, 'events.jsonl'), all => all.toSpliced(2, 1)),
      /goes on with 3 after 1/,
    ],
    [
      'a log cut short',
      () => lined(join(epoch, 'events.jsonl'), all => all.slice(0, 2)),
      /ends at 1, before the snapshot/,
    ],
    [
      'another word in the log',
      () =>
        lined(join(epoch, 'events.jsonl'), all =>
          all.map(line => line.replace(/("type":"message".*"text":")./, '$1_')),
        ),
      /has other words in number \d+ than the event log/,
    ],
    [
      'another time in an event that a receipt names',
      () => {
        const [receipt = ''] = readFileSync(join(root, 'receipts.jsonl'), 'utf8').split('\n');
        const seq = /"at":"\d+\.(\d+)\./.exec(receipt)?.[1] ?? 'none';
        lined(join(epoch, 'events.jsonl'), all =>
          all.map(line => (line.includes(`"seq":${seq},`) ? line.replace('"at":"2', '"at":"3') : line)),
        );
      },
      /tells another event \d+ than its receipt/,
    ],
    [
      'no boundary',
      () => lined(join(epoch, 'events.jsonl'), all => all.slice(1)),
      /does not begin with its boundary/,
    ],
    [
      'a transcript cut short',
      () => lined(join(epoch, 'transcript.jsonl'), all => all.slice(0, 1)),
      /had \d+ at the snapshot/,
    ],
    [
      'a transcript out of order',
      () => lined(join(epoch, 'transcript.jsonl'), all => all.toReversed()),
      /goes back from/,
    ],
    [
      'a receipt',
      () => appendFileSync(join(root, 'receipts.jsonl'), '{}\n'),
      /receipts\.jsonl cannot be read in line/,
    ],
    [
      'a journal',
      () => writeFileSync(journalIn(epoch), 'x\n'),
      /journal\.\d+\.jsonl is damaged after commit/,
    ],
    ['a ticket', () => flipStart(join(board, 'tickets', 'HB-1.json')), /HB-1\.json is damaged/],
    ['the home', () => writeFileSync(join(home, 'home.json'), '{'), /home\.json cannot be read/],
    [
      'a link in the place of a conversation',
      () => {
        renameSync(root, join(home, 'elsewhere'));
        symlinkSync(join(home, 'elsewhere'), root);
      },
      /is no directory of its own/,
    ],
  ];
  const keep = join(home, '..', `${c}-kept`);
  for (const [name, spoil, found] of kinds) {
    cpSync(home, keep, { recursive: true, preserveTimestamps: true });
    spoil();
    expect([name, (await damage(home)).join('\n')]).toEqual([name, expect.stringMatching(found)]);
    rmSync(home, { recursive: true });
    renameSync(keep, home);
  }
});

test('what a stop may leave is a remark and no damage', async () => {
  const { served, epoch } = await used();
  await served.service.stop();
  appendFileSync(join(epoch, 'transcript.jsonl'), '{"torn');
  writeFileSync(journalIn(epoch), '{"n":');
  mkdirSync(join(served.home, 'conversations', 'nobody'));
  const { findings } = await verifyThis(served.home);
  expect(findings.map(one => one.severity)).toEqual(['remark', 'remark', 'remark']);
});
