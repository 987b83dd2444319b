import { describe, expect, test } from 'vitest';
import type { Tool } from '@hearth/engine/tool.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { boardKey, Boards } from './boards.ts';
import { boardTools } from './tools.ts';

async function setup() {
  const disk = new SimDisk();
  const boards = new Boards({ home: '/home', disk, clock: new SimClock(), realPath: async path => path });
  const tools = new Map(boardTools(boards).map(tool => [tool.name, tool]));
  const call = async (name: string, args: JsonObject, signal = new AbortController().signal) =>
    tools
      .get(name)!
      .run(args, { effect: 'e1', node: 'nexie', workspace: '/project', author: 'whats-next', signal });
  return { disk, boards, board: await boards.open('/project'), tools, call };
}

test('the ten tools, their capabilities, and which may run again after a crash', async () => {
  const { tools } = await setup();
  const row = ({ name, capability, mutates, idempotent }: Tool) =>
    `${name} ${capability} ${mutates ? 'mutates' : 'reads'} ${idempotent}`;
  expect([...tools.values()].map(row)).toEqual([
    'list_issues board.read reads true',
    'get_issue board.read reads true',
    'list_labels board.read reads true',
    'create_issue board.create mutates false',
    'transition_issue board.move mutates true',
    'close_issue board.close mutates true',
    'assign_issue board.assign mutates true',
    'set_bot board.assign mutates true',
    'set_labels board.label mutates true',
    'comment_issue board.comment mutates false',
  ]);
});

test('an input schema uses only words that every backend understands', async () => {
  const { tools } = await setup();
  expect(tools.get('transition_issue')!.input).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string', description: expect.any(String) },
      to: {
        type: 'string',
        enum: ['inbox', 'backlog', 'ready', 'in_progress', 'awaiting_input', 'review', 'blocked'],
        description: expect.any(String),
      },
    },
    required: ['id', 'to'],
    additionalProperties: false,
  });
  const written = JSON.stringify([...tools.values()].map(({ input }) => input));
  expect(written).not.toMatch(/\$schema|minLength|maxLength|maxItems|pattern|anyOf/);
});

test.each([
  ['list_issues', {}, 'list tickets'],
  ['list_issues', { state: 'ready', label: 'ui' }, 'list tickets ready, ui'],
  ['get_issue', { id: 4 }, 'read 4'],
  ['create_issue', { title: 'Fix\n  login' }, 'create "Fix login"'],
  ['transition_issue', { id: 'HB-4', to: 'ready' }, 'move HB-4 to ready'],
  ['close_issue', { id: 'HB-4', comment: 'because' }, 'close HB-4'],
  ['assign_issue', { id: 'HB-4', assignee: '' }, 'assign HB-4 to nobody'],
  ['set_bot', { id: 'HB-4', bot: 'hello' }, 'give HB-4 to bot hello'],
  ['set_labels', { id: 'HB-4', labels: ['a', 'b'] }, 'label HB-4: a, b'],
  ['comment_issue', { id: { odd: true } }, 'comment on'],
])('the title of %s %j is one line', async (name, args, title) => {
  expect((await setup()).tools.get(name)!.title(args)).toBe(title);
});

describe('a call that changes a ticket', () => {
  test.each([
    ['transition_issue', { id: 'HB-1', to: 'In progress' }, { state: 'in_progress' }, 'moved'],
    ['assign_issue', { id: '1', assignee: 'grace' }, { owner: 'grace' }, 'assigned'],
    ['assign_issue', { id: 1, assignee: '' }, { owner: null }, 'assigned'],
    ['set_bot', { id: 'hb-1', bot: 'hello' }, { bot: 'hello' }, 'bot'],
    ['set_labels', { id: 'HB-1', labels: ['b', 'a'] }, { labels: ['a', 'b'] }, 'labelled'],
    ['set_labels', { id: 'HB-1', labels: '["b"]' }, { labels: ['b'] }, 'labelled'],
  ])('%s %j: shown, and nothing the second time', async (name, args, fields, change) => {
    const { board, call } = await setup();
    await board.add({ title: 'one', owner: 'ada' }, 'ada');
    const result = await call(name, args);
    const ticket = await board.get('1');
    expect(result).toMatchObject({
      content: { id: 'HB-1', ...fields },
      ticket: { id: 'HB-1', title: 'one', state: ticket.state, change },
    });
    expect(result.error).toBeUndefined();
    expect(ticket).toMatchObject(fields);
    expect(ticket.history.at(-1)).toMatchObject({ by: 'whats-next', what: change });

    const again = await call(name, args);
    expect(again).toMatchObject({ content: { unchanged: expect.any(String) } });
    expect(again.ticket).toBeUndefined();
    expect(await board.get('1')).toEqual(ticket);
  });

  test('create_issue answers with the id', async () => {
    const { board, call } = await setup();
    const result = await call('create_issue', {
      title: 'one',
      body: 'why',
      labels: ['a'],
      state: 'backlog',
      bot: 'hello',
      owner: 'ada',
    });
    expect(result).toMatchObject({
      content: { id: 'HB-1' },
      ticket: { id: 'HB-1', state: 'backlog', change: 'created' },
    });
    expect(await board.get('1')).toMatchObject({ body: 'why', labels: ['a'], bot: 'hello', owner: 'ada' });
  });

  test('comment_issue adds each time', async () => {
    const { board, call } = await setup();
    await board.add({ title: 'one' }, 'ada');
    await call('comment_issue', { id: '1', body: 'a' });
    expect(await call('comment_issue', { id: '1', body: 'b' })).toMatchObject({
      ticket: { change: 'commented' },
    });
    expect((await board.get('1')).comments).toMatchObject([
      { author: 'whats-next', body: 'a' },
      { body: 'b' },
    ]);
  });

  test('close_issue records the comment first, and says when it could not', async () => {
    const { board, call } = await setup();
    await board.add({ title: 'one' }, 'ada');
    expect(await call('close_issue', { id: '1', comment: 'done in abc123' })).toMatchObject({
      ticket: { state: 'done', change: 'closed' },
    });
    expect((await board.get('1')).history.map(({ what }) => what)).toEqual([
      'created',
      'commented',
      'closed',
    ]);
    expect(await call('close_issue', { id: '1', comment: 'again' })).toMatchObject({
      content: { unchanged: 'it is closed already; the comment was not recorded, use comment_issue for it' },
    });
  });
});

describe('a call that reads', () => {
  test('list_issues filters, and shows no more than the beginning of a body', async () => {
    const { board, call } = await setup();
    await board.import(
      `[{"title":"a","body":"${'words '.repeat(100)}end"},{"title":"b","state":"ready","labels":["x"],"owner":"ada"}]`,
      '-',
      'ada',
    );
    const { content } = await call('list_issues', { state: 'ready', label: 'x', assignee: 'Ada' });
    expect(content).toMatchObject({ total: 1, tickets: [{ id: 'HB-2', title: 'b', comments: 0 }] });
    const all = JSON.stringify((await call('list_issues', {})).content);
    expect(all).toContain('words words');
    expect(all).not.toContain('end');
  });

  test('list_issues shows a hundred and says how many more there are', async () => {
    const { board, call } = await setup();
    await board.import(
      JSON.stringify(Array.from({ length: 103 }, (_, n) => ({ title: `t${n}` }))),
      '-',
      'ada',
    );
    const { content } = await call('list_issues', {});
    expect(content).toMatchObject({
      total: 103,
      notShown: '3 more; narrow the list by state, label or assignee',
    });
    expect((content as { tickets: unknown[] }).tickets).toHaveLength(100);
  });

  test('list_issues names damaged files beside the good tickets', async () => {
    const { board, call, disk } = await setup();
    await board.import('- [ ] a\n- [ ] b', '-', 'ada');
    await disk.write(`/home/boards/${boardKey('/project')}/tickets/HB-1.json`, new Uint8Array());
    expect((await call('list_issues', {})).content).toMatchObject({
      tickets: [{ id: 'HB-2' }],
      damaged: [{ file: expect.stringContaining('HB-1.json') }],
    });
  });

  test('get_issue has everything, list_labels the counts', async () => {
    const { board, call } = await setup();
    const ticket = await board.add({ title: 'one', body: 'why', labels: ['x'] }, 'ada');
    expect((await call('get_issue', { id: 'HB-1' })).content).toEqual(ticket);
    expect((await call('list_labels', {})).content).toEqual([{ label: 'x', open: 1, tickets: 1 }]);
  });
});

describe('a call that cannot be', () => {
  test.each([
    ['get_issue', {}, /^get_issue did nothing: id: /],
    ['get_issue', { id: 'HB-9' }, /no ticket HB-9 on this board; the nearest are HB-1\.$/],
    [
      'close_issue',
      { id: 'the login one' },
      /"the login one" is not a ticket id \(ids look like HB-4\).*HB-1/,
    ],
    ['transition_issue', { id: 'HB-1', to: 'redy' }, /states are inbox, .*Did you mean "ready"\?$/],
    ['transition_issue', { id: 'HB-1', to: 'done' }, /: to: only close_issue takes a ticket to done\.$/],
    ['transition_issue', { id: 'HB-1', to: ' Done ' }, /: to: only close_issue takes a ticket to done\.$/],
    ['create_issue', { title: 'a', state: 'done' }, /: state: only close_issue takes a ticket to done\.$/],
    ['create_issue', { title: '  ' }, /^create_issue did nothing: title: /],
    [
      'create_issue',
      { title: 'a', urgency: 1 },
      /"urgency" is not an argument \(its arguments are title, body, /,
    ],
    ['set_labels', { id: 'HB-1', labels: 'a, b' }, /^set_labels did nothing: labels: /],
    ['comment_issue', { id: 'HB-1', body: ' ' }, /^comment_issue did nothing: body: /],
    ['list_labels', { all: true }, /\(it takes no arguments\)\.$/],
  ])('%s %j is an error the model can act on, and changes nothing', async (name, args, error) => {
    const { board, call } = await setup();
    const before = await board.add({ title: 'one' }, 'ada');
    const result = await call(name, args);
    expect(result).toEqual({ content: null, error: expect.stringMatching(error) });
    expect((await board.list()).tickets).toEqual([before]);
  });

  test('a failing disk fails the turn instead', async () => {
    const { board, call, disk } = await setup();
    await board.add({ title: 'one' }, 'ada');
    disk.failNext('rename', 'disk_full');
    await expect(call('comment_issue', { id: '1', body: 'a' })).rejects.toMatchObject({ code: 'disk_full' });
  });

  test('after the turn was stopped nothing is written', async () => {
    const { board, call } = await setup();
    await expect(call('create_issue', { title: 'one' }, AbortSignal.abort())).rejects.toThrow();
    expect((await board.list()).tickets).toEqual([]);
  });
});

test('the board is that of the workspace, where the turn works in a worktree of it', async () => {
  const { tools, board } = await setup();
  const { signal } = new AbortController();
  const context = { effect: 'e1', node: 'nexie', author: 'whats-next', signal } as const;
  const args = { title: 'Look at the pears' };
  const made = await tools
    .get('create_issue')!
    .run(args, { ...context, workspace: '/trees/r1', board: '/project' });
  expect(made.error).toBeUndefined();
  expect((await board.list()).tickets.map(({ title }) => title)).toEqual(['Look at the pears']);
});
