import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { PermissionPause } from '@hearth/protocol/pause.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { afterEach, expect, test } from 'vitest';
import { calls, FakeProvider, replies } from '../support/fake-provider.ts';
import { makeProject } from '../support/project.ts';
import { clientOf } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';
import { writerBundle } from '../support/writer.ts';

/* Leave for a model's calls in the real service: asked for each one, over a restart, given once, for good, and taken back. */

let service: Service | null = null;
let provider: FakeProvider;
afterEach(async () => {
  await provider.close();
  await service?.stop();
  removeTemps();
});

test('each call waits for leave of its own, over a restart, and only what was allowed is done (B14)', async () => {
  const home = tempDirectory('permissions-home');
  const project = makeProject();
  provider = await FakeProvider.start();
  const start = async (): Promise<HearthClient> => {
    service = await startService({ home, env: provider.env('anthropic', 'sk-fake') });
    return clientOf(service.address, readFileSync(join(home, 'token'), 'utf8').trim());
  };
  let client = await start();
  const { view } = await client.create({ bot: writerBundle(), scope: { kind: 'workspace', path: project } });
  const id: ConversationId = view.id;
  const write = (path: string) => ({ name: 'write_file', args: { path, content: path } });
  const content = (path: string): string | null => {
    try {
      return readFileSync(join(project, path), 'utf8');
    } catch {
      return null;
    }
  };
  const settled = async (status: 'waiting' | 'over'): Promise<readonly PermissionPause[]> => {
    const at = async () => (await client.get(id)).turn?.status ?? 'over';
    await expect.poll(at, { timeout: 25_000 }).toBe(status);
    const { pauses } = await client.get(id);
    return pauses.filter(pause => pause.kind === 'permission');
  };

  provider.plays(calls([write('a.txt'), write('b.txt'), write('secret.txt')]));
  await client.send(id, { text: 'write', delivery: 'queue' });
  const [first, second, ...more] = await settled('waiting');
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    call: { tool: 'write_file', args: { path: 'a.txt', content: 'a.txt' } },
    rule: 'write_file(a.txt)',
  });
  expect([content('a.txt'), content('b.txt'), content('secret.txt')]).toEqual([null, null, null]);
  // A rule must be about the call that is shown.
  const wide = client.decide(id, second!.id, { do: 'permit', grant: 'always', rule: 'bash' });
  await expect(wide).rejects.toMatchObject({ code: 'invalid_choice' });

  await service?.stop();
  client = await start();
  await client.decide(id, first!.id, { do: 'permit', grant: 'always', rule: 'Write(*.txt)' });
  // Its sibling had been asked about already, and has an answer of its own.
  expect(await settled('waiting')).toMatchObject([{ id: second!.id }]);
  expect(content('a.txt')).toBeNull();
  provider.plays(replies('Done.'));
  await client.decide(id, second!.id, { do: 'permit', grant: 'deny' });
  expect(await settled('over')).toEqual([]);
  expect([content('a.txt'), content('b.txt'), content('secret.txt')]).toEqual(['a.txt', null, null]);
  const told = provider.requests.at(-1)?.text ?? '';
  expect(told).toContain('The person did not allow this call');
  expect(told).toContain('rule \\"Write(secret*)\\" denies it');

  // The rule lets further calls through, also after a reset, until it is taken back.
  await client.reset(id);
  provider.plays(calls([write('c.txt')]), replies('Done.'));
  await client.send(id, { text: 'more', delivery: 'queue' });
  expect(await settled('over')).toEqual([]);
  expect(content('c.txt')).toBe('c.txt');
  expect((await client.get(id)).rules).toMatchObject([{ rule: 'Write(*.txt)', grant: 'always' }]);
  expect((await client.revokeRule(id, 'Write(*.txt)')).view.rules).toBeUndefined();
  await expect(client.revokeRule(id, 'Write(*.txt)')).rejects.toMatchObject({ code: 'unknown_rule' });
  provider.plays(calls([write('d.txt')]));
  await client.send(id, { text: 'more', delivery: 'queue' });
  expect(await settled('waiting')).toHaveLength(1);
});
