import { ConversationId } from '@hearth/protocol/ids.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, it } from 'vitest';
import { Behind } from './behind.ts';

const home = { index: '/hearth/index.json', behind: '/hearth/behind.txt' };
const idOf = (nth: number): ConversationId => ConversationId.parse(`c_${String(nth).padStart(26, '0')}`);

it('has noted what is opened at whatever moment the index is replaced', async () => {
  // Before each call to the disk one more conversation is opened, of which the new index knows nothing.
  for (let opened = 1, reached = true; reached; opened += 1) {
    const disk = new SimDisk();
    await disk.makeDirectory('/hearth');
    await disk.write(home.index, new Uint8Array([1]));
    const id = idOf(opened);
    const notes: Promise<void>[] = [];
    let calls = 0;
    const slow = new Proxy(disk, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]): Promise<unknown> => {
          calls += 1;
          if (calls === opened) notes.push(behind.note(id));
          return member.apply(target, args) as unknown;
        };
      },
    });
    const behind = new Behind(slow, home);
    await behind.note(idOf(0));
    await behind.replace(() => disk.write(home.index, new Uint8Array([2])));
    await Promise.all(notes);
    reached = notes.length > 0;
    const known = await new Behind(disk, home).read();
    const expected = reached ? [idOf(0), id] : [idOf(0)];
    expect([...known].toSorted(), `opened at call ${opened}`).toEqual(expected);
  }
});
