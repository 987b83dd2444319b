import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConversationId } from '@hearth/protocol/ids.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { homeDirectory } from './conversation-directory.ts';
import { Quarantine } from './quarantine.ts';
import { ada } from './testing/sample-home.ts';
import { Trash } from './trash.ts';

const ID = 'c_00000000000000000000000001';
const createdAt = '2026-01-01T00:00:00.000Z';
const kept = { pinned: false, origin: 'person', epoch: 1, createdAt, default: false } as const;
const record = { format: 1, id: ID, title: 'Other', scope: { kind: 'global' }, bot: 'whats-next', ...kept };
const roots: string[] = [];

afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true });
});

async function withTrash(): Promise<{ root: string; elsewhere: string; trash: Trash }> {
  const root = await mkdtemp(join(tmpdir(), 'hearth-trash-'));
  roots.push(root);
  const home = homeDirectory(join(root, 'home'));
  const elsewhere = join(root, 'elsewhere');
  await mkdir(home.trash, { recursive: true });
  await mkdir(elsewhere);
  const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  await nodeDisk.write(join(elsewhere, 'conversation.json'), text(record));
  await nodeDisk.write(join(elsewhere, 'trash.json'), text({ format: 1, id: ID, at: createdAt, by: ada }));
  const quarantine = new Quarantine(nodeDisk, home.quarantine, new SimClock());
  return { root, elsewhere, trash: new Trash(nodeDisk, home, quarantine, () => Promise.resolve(false)) };
}

describe('what lies in the trash', () => {
  it('can be restored when it is a directory of that name', async () => {
    const { root, elsewhere, trash } = await withTrash();
    await cp(elsewhere, join(root, `home/trash/2026-${ID}`), { recursive: true });
    expect(await trash.list()).toMatchObject([{ name: `2026-${ID}`, record: { id: ID } }]);
  });

  it('is set aside when it is a link, and where that leads nothing is touched', async () => {
    const { root, elsewhere, trash } = await withTrash();
    const before = await readFile(join(elsewhere, 'conversation.json'), 'utf8');
    await symlink(elsewhere, join(root, `home/trash/2026-${ID}`));
    expect(await trash.list()).toEqual([]);
    expect(await nodeDisk.list(join(root, 'home/quarantine'))).toHaveLength(1);
    expect(await readFile(join(elsewhere, 'conversation.json'), 'utf8')).toBe(before);
  });

  it('is told as nothing where a file lies in the place of the trash, which is set aside', async () => {
    const { root, trash } = await withTrash();
    await rm(join(root, 'home/trash'), { recursive: true, force: true });
    await nodeDisk.write(join(root, 'home/trash'), new TextEncoder().encode('no directory'));
    expect(await trash.list()).toEqual([]);
    const [name] = await nodeDisk.list(join(root, 'home/quarantine'));
    expect(await readFile(join(root, 'home/quarantine', name!, 'trash'), 'utf8')).toBe('no directory');
  });

  it('takes in what is closed although a file lies in its place, which is set aside', async () => {
    const { root, elsewhere, trash } = await withTrash();
    await cp(elsewhere, join(root, `home/conversations/${ID}`), { recursive: true });
    await rm(join(root, 'home/trash'), { recursive: true, force: true });
    await nodeDisk.write(join(root, 'home/trash'), new TextEncoder().encode('no directory'));
    await trash.put(ConversationId.parse(ID), { at: createdAt, by: ada, receipt: null, why: null });
    expect(await trash.list()).toMatchObject([{ record: { id: ID } }]);
    expect(await nodeDisk.list(join(root, 'home/quarantine'))).toHaveLength(1);
  });
});
