import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScriptedBackend } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import { exitOf } from '@hearth/cli/errors.ts';
import { HearthClient } from '@hearth/client/http.ts';
import { HearthProblem } from '@hearth/client/problem.ts';
import { hydrate, Watch } from '@hearth/client/recover.ts';
import { turnReport } from '@hearth/client/report.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { startService } from '@hearth/service/main.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* A real service whose disk fills up in the middle of a turn, and the surfaces that are on it. */

const ending: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
  removeTemps();
});

/** The real disk, which takes no appends while `full` holds. */
function filling(): { disk: Disk; full: boolean } {
  const state = {
    full: false,
    disk: new Proxy(nodeDisk, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'append') return member;
        return async (path: string) => {
          const handle = await nodeDisk.append(path);
          return {
            write: (bytes: Uint8Array) =>
              state.full && path.includes('journal')
                ? Promise.reject(
                    new DiskError('disk_full', path, `The disk is full, so "${path}" could not be written.`),
                  )
                : handle.write(bytes),
            sync: () => handle.sync(),
            close: () => handle.close(),
          };
        };
      },
    }),
  };
  return state;
}

describe('a disk that fills up in the middle of a turn', () => {
  it('ends the wait with exit code 4, shows it on every surface, and lets the turn be taken up when there is room', async () => {
    const home = tempDirectory('full');
    const held = Promise.withResolvers<void>();
    const filled = filling();
    const backends = [
      new ScriptedBackend([[gate(held.promise), reply('never said')], [reply('said after all')]]),
    ];
    const service = await startService({ home, disk: filled.disk, env: {}, backends });
    ending.push(() => service.stop());
    const client = new HearthClient({
      address: service.address,
      token: readFileSync(join(home, 'token'), 'utf8').trim(),
      surface: 'test',
      name: 'ada',
      newCommandId: () => randomUUID(),
    });
    const { id } = await client.default();
    const over = new AbortController();
    ending.push(() => over.abort());
    const watch = new Watch(await hydrate(client, id), { onChange: () => undefined });
    watch.run(client, over.signal).catch(() => undefined);
    const { receipt } = await client.send(id, { text: 'begin', delivery: 'queue' });
    const { turn = null, message = null } = receipt?.did ?? {};
    const waiting = turnReport({ client, conversation: id, turn, message, signal: over.signal });
    await expect.poll(() => watch.model.now.turn?.status).toBe('running');

    filled.full = true;
    held.resolve();
    const problem = await waiting.then(
      () => null,
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(HearthProblem);
    expect(problem).toMatchObject({
      code: 'disk_full',
      detail: expect.stringContaining('The turn was stopped'),
    });
    expect(exitOf('disk_full')).toBe(EXIT.environment);
    await expect.poll(() => watch.model.trouble?.code).toBe('disk_full');
    expect((await client.get(id)).trouble).toMatchObject({ code: 'disk_full' });
    await expect.poll(() => readFileSync(join(home, 'logs/service.log'), 'utf8')).toContain('not_saved');

    filled.full = false;
    await expect.poll(() => watch.model.now.pauses[0]?.kind).toBe('recovery');
    expect(watch.model).toMatchObject({
      trouble: null,
      now: { pauses: [{ cause: 'interrupted', code: 'not_saved' }] },
    });
    const again = await client.send(id, { text: 'go on', delivery: 'queue' });
    expect(again.receipt?.did.as).toBe('started');
    await expect.poll(() => watch.model.now.pauses[0]?.kind).toBe('chat');
    const { items } = await client.history(id, null, 5);
    expect(items.flatMap(line => (line.is === 'said' || line.is === 'replied' ? [line.text] : []))).toEqual([
      'begin',
      'go on',
      'said after all',
    ]);
  });
});
