import type { MemoryWanted, OpenMemory } from '@hearth/engine/memory.ts';
import type { ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { HomeMemory } from './home-memory.ts';

let disk = new SimDisk();
beforeEach(() => {
  disk = new SimDisk();
});

const WANTED: MemoryWanted = { scope: 'orchard', autoload: null, read: true, write: true };
const opened = (more: Partial<MemoryWanted> = {}, bot = 'keeper', workspace = '/project'): OpenMemory =>
  new HomeMemory(disk, '/memory').open({ ...WANTED, ...more }, { bot, workspace });

function call(memory: OpenMemory, name: string, args: JsonObject = {}): Promise<ToolResult> {
  const tool = memory.tools.find(one => one.name === name);
  const context = { effect: 'e1', node: 'a', workspace: '/', author: 'Keeper' } as const;
  if (tool === undefined) return Promise.resolve({ content: null, error: 'no such tool' });
  return tool.run(args, { ...context, signal: new AbortController().signal });
}

const write = (memory: OpenMemory, name: string, text = 'kept') =>
  call(memory, 'memory_write', { name, text });

test('what was written is listed, read and replaced, by whoever opens it again', async () => {
  expect(await write(opened(), 'trees/pears.md', 'é')).toEqual({
    content: { name: 'trees/pears.md', bytes: 2 },
  });
  await write(opened(), 'trees/pears.md', 'four');
  expect((await call(opened(), 'memory_read', { name: 'trees/pears.md' })).content).toEqual({
    name: 'trees/pears.md',
    text: 'four',
  });
  expect((await call(opened(), 'memory_list')).content).toEqual({
    documents: [{ name: 'trees/pears.md', bytes: 4 }],
  });
});

describe('the tools are those that the node may use', () => {
  test.each<[Partial<MemoryWanted>, string[]]>([
    [{}, ['memory_list', 'memory_read', 'memory_write']],
    [{ write: false }, ['memory_list', 'memory_read']],
    [{ read: false }, ['memory_write']],
    [{ visibility: 'global' }, ['memory_list', 'memory_read']],
  ])('%j', (more, names) => expect(opened(more).tools.map(tool => tool.name)).toEqual(names));
});

test.each(['../x', 'a/../../x', '/etc/x', '.hidden', 'a/.git/x', '', 'a//b', 'a/', 'a\0b', 'a/b/c/d/e', 'ü'])(
  'nothing is written or read at %j',
  async name => {
    await disk.makeDirectory('/memory');
    await disk.write('/x', new TextEncoder().encode('outside'));
    expect((await write(opened(), name)).error).toEqual(expect.any(String));
    expect((await call(opened(), 'memory_read', { name })).error).toEqual(expect.any(String));
    expect(await disk.list('/memory')).toEqual([]);
  },
);

test('it is bounded, and a document and a directory do not take each other’s place', async () => {
  expect((await write(opened(), 'long.md', 'é'.repeat(40_000))).error).toContain('larger than 64 KiB');
  await write(opened(), 'a/b.md');
  expect((await write(opened(), 'a')).error).toContain('is a directory');
  expect((await write(opened(), 'a/b.md/c')).error).toContain('none can lie below');
  for (let count = 1; count < 500; count += 1) await write(opened(), `n${count}`);
  expect((await write(opened(), 'one-more')).error).toContain('500 documents already');
  expect((await write(opened(), 'n7', 'again')).error).toBeUndefined();
});

describe('who finds it again', () => {
  const shares = async (one: OpenMemory, other: OpenMemory): Promise<boolean> => {
    await write(one, 'x.md');
    return (await call(other, 'memory_read', { name: 'x.md' })).error === undefined;
  };
  test.each<[string, string | undefined, boolean, boolean]>([
    ['its project, when nothing is said', undefined, true, false],
    ['its project', 'project', true, false],
    ['its bot', 'bot', false, true],
    ['every project', 'cross_project', true, true],
    ['the person', 'user', true, true],
  ])('%s', async (_, visibility, otherBot, otherProject) => {
    const more = visibility === undefined ? {} : { visibility };
    expect(await shares(opened(more), opened(more, 'other'))).toBe(otherBot);
    expect(await shares(opened(more), opened(more, 'keeper', '/elsewhere'))).toBe(otherProject);
    expect(await shares(opened(more), opened({ ...more, scope: 'orchard/' }))).toBe(false);
  });
});

describe('a session begins with', () => {
  beforeEach(async () => {
    await write(opened(), 'index.md', 'INDEX');
    await write(opened(), 'trees/pears.md', 'PEARS');
    await write(opened(), 'log.txt', 'x'.repeat(40_000));
  });
  test('the names, and the index', async () => {
    const text = await opened().opening();
    expect(text).toContain('index.md, log.txt, trees/pears.md');
    expect(text).toContain('INDEX');
    expect(text).not.toContain('PEARS');
  });
  test('what the globs name, bounded', async () => {
    expect(await opened({ autoload: ['trees/**'] }).opening()).toMatch(/PEARS$/);
    const text = await opened({ autoload: ['*.txt'] }).opening();
    expect(text).toContain('the rest is left out');
    expect(text.length).toBeLessThan(34_000);
  });
  test('a word that there is nothing yet', async () => {
    expect(await opened({ scope: 'empty' }).opening()).toContain('none yet');
  });
});
