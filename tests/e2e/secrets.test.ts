import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls, FakeProvider, replies, status } from '../support/fake-provider.ts';
import { makeProject } from '../support/project.ts';
import { clientOf } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/*
 * Case 44: what a service was given and must never show, over turns that do well and turns that fail, and who may read what
 * a used home holds.
 */

const KEY = 'sk-sentinel-4f1c9a7be2d84310';

let home: string;
let service: Service;
let client: HearthClient;
let provider: FakeProvider;
/** Every answer that the service gave. */
const answers: string[] = [];

async function settled(text: string): Promise<void> {
  const { id } = await client.default();
  await client.send(id, { text, delivery: 'queue', workspace: project });
  for (;;) {
    const view = await client.get(id);
    answers.push(JSON.stringify(view));
    if (view.state !== 'working' && view.queue.length === 0) return;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
let project: string;

beforeAll(async () => {
  home = tempDirectory('secrets');
  project = makeProject();
  provider = await FakeProvider.start();
  service = await startService({
    home,
    env: { ...provider.env('anthropic', KEY), OTHER_PASSWORD: 'hunter2-hunter2' },
  });
  client = clientOf(service.address, token());
  // The model repeats what it should not know: in words, as the name of a tool, in arguments, and in the end.
  provider.plays(
    calls([{ name: 'board_list', args: { label: KEY } }], `I use ${KEY} and hunter2-hunter2.`),
    calls([{ name: KEY, args: {} }], ''),
    replies(`Your key is ${KEY}, your token ${token()}.`),
  );
  await settled('hello');
  provider.plays(status(401, {}, `invalid x-api-key: ${KEY}`));
  await settled('again');
  const { id, pauses } = await client.default();
  for (const pause of pauses) {
    if (pause.kind === 'recovery')
      await client.decide(id, pause.id, { do: 'answer', option: 'stop' }).catch(() => undefined);
  }
  await client.get('c_nothing' as never).catch((error: unknown) => void answers.push(String(error)));
  const page = await client.events(id, null, 500);
  answers.push(
    JSON.stringify(page),
    JSON.stringify(await client.history(id, null, 20)),
    JSON.stringify(await client.models()),
  );
  await client.close(await madeAndClosed());
  await service.stop();
});

async function madeAndClosed(): Promise<ConversationId> {
  return (await client.create({ bot: 'hello' })).view.id;
}
function token(): string {
  return readFileSync(join(home, 'token'), 'utf8').trim();
}

afterAll(async () => {
  await provider.close();
  removeTemps();
});

/** Everything in the home by its path; links are not followed. */
const walk = (): string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).map(name => join(home, name));

describe('44: secrets and files', () => {
  test('the provider was asked with the key, so that there was something to keep', () => {
    expect(JSON.stringify(provider.requests.map(request => request.headers))).toContain(KEY);
  });

  const kinds: readonly [name: string, secret: () => string, but: readonly string[]][] = [
    ['a key of a provider', () => KEY, []],
    ['another secret of the environment', () => 'hunter2-hunter2', []],
    ['the token', token, ['token']],
  ];
  test.each(kinds)('%s stands in no file of the home, in no answer and in no argument', (_, secret, but) => {
    const files = walk().filter(path => lstatSync(path).isFile());
    const holding = files.filter(path => readFileSync(path).includes(secret()));
    expect(holding).toEqual(but.map(name => join(home, name)));
    expect(answers.filter(answer => answer.includes(secret()))).toEqual([]);
    expect(process.argv.filter(word => word.includes(secret()))).toEqual([]);
  });

  test('what was said in its place can be read', () => {
    expect(answers.join('\n')).toContain('Your key is [redacted], your token [redacted].');
  });

  test('directories are 0700 and files 0600, and there is no link', () => {
    const all = [home, ...walk()].map(path => ({ path, info: lstatSync(path) }));
    const wrong = all.filter(({ info }) => (info.mode & 0o777) !== (info.isDirectory() ? 0o700 : 0o600));
    expect(wrong.map(({ path }) => path)).toEqual([]);
    expect(all.filter(({ info }) => info.isSymbolicLink())).toEqual([]);
  });
});
