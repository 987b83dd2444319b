import type { CreateConversation } from '@hearth/protocol/command.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, it } from 'vitest';
import { processOn } from './testing/process.ts';
import { ada, HOME, message, started } from './testing/sample-home.ts';

/* A conversation is made once for each command, though the disk failed to note that, and the power is lost later. */

const create = (): CreateConversation => ({
  commandId: message('').commandId,
  actor: ada,
  scope: { kind: 'global' },
});

it.each([
  ['appendSync', 'is killed'],
  ['appendSync', 'goes on'],
  ['syncDirectory', 'is killed'],
  ['syncDirectory', 'goes on'],
] as const)('after a failed %s of the note, when the process %s', async (call, how) => {
  for (let before = 1, ended = false; !ended; before += 1) {
    const disk = new SimDisk();
    const first = processOn(disk, call, how);
    const home = await started({ disk: first.disk });
    // An append is what follows what is written first.
    if (call === 'appendSync') await home.conversations.create(create(), 'person');
    const command = create();
    first.fail(1, call === 'appendSync' ? 'receipts.jsonl' : HOME);
    const made = home.conversations.create(command, 'person').then(
      () => 'made',
      () => 'refused',
    );
    const came = await Promise.race([made, first.killed]);
    expect([came, first.failed()]).toEqual([how === 'is killed' ? 'killed' : 'refused', true]);
    const next = how === 'is killed' ? await started({ disk }) : home;
    const rows = (await next.conversations.list({})).rows.length;
    disk.crashBefore(disk.calls + before);
    ended = await next.conversations.create(command, 'person').then(
      () => true,
      () => false,
    );
    for (const seed of [0, 3]) {
      const last = await started({ disk: disk.crash({ seed }) });
      await last.conversations.create(command, 'person');
      const { rows: after } = await last.conversations.list({});
      expect(after, `stopped before ${disk.stoppedBefore}, seed ${seed}`).toHaveLength(rows + 1);
    }
  }
});
