import { describe, expect, test } from 'vitest';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { boardKey, Boards } from './boards.ts';

const directory = `/home/boards/${boardKey('/project')}`;
const bytes = (text: string) => new TextEncoder().encode(text);

async function setup() {
  const disk = new SimDisk();
  const clock = new SimClock();
  const boards = () => new Boards({ home: '/home', disk, clock, realPath: async path => path });
  return { disk, clock, boards, board: await boards().open('/project') };
}

const titles = (list: { tickets: readonly { title: string }[] }) => list.tickets.map(({ title }) => title);

describe('tickets', () => {
  test('are counted, dated and found again by another process', async () => {
    const { board, boards, clock } = await setup();
    const one = await board.add({ title: 'one', body: 'why', bot: 'hello' }, 'ada');
    clock.advance(1000);
    const outcome = await board.comment('hb-1', 'seen', 'nexie');
    expect(outcome).toMatchObject({ changed: true, changes: [{ what: 'commented', by: 'nexie' }] });
    expect(one).toMatchObject({ id: 'HB-1', body: 'why', bot: 'hello', owner: null });
    const found = await (await boards().open('/project')).get('HB-1');
    expect(found).toEqual(outcome.ticket);
    expect(Date.parse(found.updatedAt) - Date.parse(found.createdAt)).toBe(1000);
  });

  test('are listed by state, then number, and filtered', async () => {
    const { board } = await setup();
    await board.import(
      '[{"title":"a","state":"done"},{"title":"b","state":"ready","labels":["x"]},{"title":"c","owner":"Ada","labels":["x"]}]',
      '-',
      'ada',
    );
    expect(titles(await board.list())).toEqual(['c', 'b', 'a']);
    expect(titles(await board.list({ state: 'done' }))).toEqual(['a']);
    expect(titles(await board.list({ label: 'x' }))).toEqual(['c', 'b']);
    expect(titles(await board.list({ owner: 'ada', label: 'x' }))).toEqual(['c']);
    expect(await board.labels()).toEqual([{ label: 'x', open: 2, tickets: 2 }]);
  });

  test('are moved, labelled, assigned and given a bot', async () => {
    const { board } = await setup();
    await board.add({ title: 'one' }, 'ada');
    await board.move('1', 'review', 'ada');
    await board.label('1', ['b', 'a'], 'ada');
    await board.assign('1', 'grace', 'ada');
    const { ticket } = await board.setBot('1', 'hello', 'ada');
    expect(ticket).toMatchObject({ state: 'review', labels: ['a', 'b'], owner: 'grace', bot: 'hello' });
    expect(ticket.history.map(({ what }) => what)).toEqual([
      'created',
      'moved',
      'labelled',
      'assigned',
      'bot',
    ]);
  });

  test('wait for others that are there, and never for themselves', async () => {
    const { board } = await setup();
    for (const title of ['one', 'two', 'three']) await board.add({ title }, 'ada');
    const { ticket } = await board.change('3', { blockers: ['HB-2', 'HB-1', 'HB-2'] }, 'ada');
    expect(ticket.blockers).toEqual(['HB-1', 'HB-2']);
    expect(await board.change('3', { blockers: ['HB-1', 'HB-2'] }, 'ada')).toMatchObject({ why: 'same' });
    await board.change('2', { blockers: ['HB-1'] }, 'ada');
    await expect(board.change('1', { blockers: ['HB-1'] }, 'ada')).rejects.toMatchObject({
      code: 'invalid_ticket',
      message: 'HB-1 cannot wait for itself: it would never be begun.',
    });
    await expect(board.change('1', { blockers: ['HB-3'] }, 'ada')).rejects.toMatchObject({
      code: 'invalid_ticket',
      message:
        'HB-1 cannot wait for HB-3, which waits for it: neither would ever be begun; leave one of the two out.',
    });
    await expect(board.change('1', { blockers: ['HB-9'] }, 'ada')).rejects.toMatchObject({
      code: 'unknown_ticket',
    });
    await expect(board.add({ title: 'four', blockers: ['HB-9'] }, 'ada')).rejects.toMatchObject({
      code: 'unknown_ticket',
    });
    expect((await board.get('1')).blockers).toBeUndefined();
    const none = await board.change('3', { blockers: [] }, 'ada');
    expect(none.ticket).not.toHaveProperty('blockers');
    expect(none.ticket.history.at(-1)).toMatchObject({ what: 'edited' });
  });

  test('several fields change together', async () => {
    const { board } = await setup();
    await board.add({ title: 'one' }, 'ada');
    const outcome = await board.change('1', { title: 'uno', owner: 'grace', state: 'done' }, 'ada');
    expect(outcome).toMatchObject({
      changed: true,
      changes: [{ what: 'edited' }, { what: 'assigned' }, { what: 'closed' }],
    });
  });

  test('a change to what is already so is none', async () => {
    const { board } = await setup();
    const before = await board.add({ title: 'one' }, 'ada');
    expect(await board.move('1', 'inbox', 'ada')).toEqual({ changed: false, ticket: before, why: 'same' });
    expect(await board.get('1')).toEqual(before);
  });

  test('closing is recorded with its comment first, and only once', async () => {
    const { board } = await setup();
    await board.add({ title: 'one' }, 'ada');
    expect(await board.close('1', 'nexie', 'done in abc123')).toMatchObject({
      changed: true,
      ticket: { state: 'done', comments: [{ author: 'nexie', body: 'done in abc123' }] },
      changes: [{ what: 'commented' }, { what: 'closed', from: 'inbox', to: 'done' }],
    });
    expect(await board.close('1', 'nexie', 'again')).toMatchObject({
      changed: false,
      why: 'already_closed',
      ticket: { comments: [{}] },
    });
  });

  test('a closed ticket is reopened by a move and by nothing else', async () => {
    const { board } = await setup();
    await board.add({ title: 'one', state: 'done' }, 'ada');
    await board.comment('1', 'late words', 'ada');
    expect((await board.assign('1', 'ada', 'ada')).ticket.state).toBe('done');
    expect(await board.move('1', 'backlog', 'ada')).toMatchObject({
      changes: [{ what: 'reopened' }],
      ticket: { state: 'backlog' },
    });
  });

  test('an unknown one is refused with the nearest', async () => {
    const { board } = await setup();
    await expect(board.get('1')).rejects.toMatchObject({
      code: 'unknown_ticket',
      message: expect.stringContaining('empty'),
    });
    await board.add({ title: 'one' }, 'ada');
    for (const work of [board.get('2'), board.close('2', 'ada'), board.comment('x', 'y', 'ada')]) {
      await expect(work).rejects.toMatchObject({
        code: 'unknown_ticket',
        message: expect.stringContaining('HB-1'),
      });
    }
  });

  test('need a title, comments need words', async () => {
    const { board } = await setup();
    await expect(board.add({ title: ' ' }, 'ada')).rejects.toMatchObject({ code: 'invalid_ticket' });
    await board.add({ title: 'one' }, 'ada');
    await expect(board.change('1', { title: ' ' }, 'ada')).rejects.toMatchObject({ code: 'invalid_ticket' });
    await expect(board.comment('1', ' \n', 'ada')).rejects.toMatchObject({ code: 'invalid_ticket' });
  });

  test('changes made at once all happen', async () => {
    const { board } = await setup();
    await Promise.all(Array.from({ length: 8 }, (_, n) => board.add({ title: `t${n}` }, 'ada')));
    await Promise.all(Array.from({ length: 8 }, (_, n) => board.comment('3', `c${n}`, 'ada')));
    expect((await board.list()).tickets.map(({ id }) => id)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map(n => `HB-${n}`),
    );
    expect((await board.get('3')).comments.map(({ body }) => body)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map(n => `c${n}`),
    );
  });

  test('an id is not given again after its ticket was removed, nor after board.json was', async () => {
    const { board, boards, disk } = await setup();
    await board.add({ title: 'one' }, 'ada');
    await board.add({ title: 'two' }, 'ada');
    await disk.remove(`${directory}/tickets/HB-2.json`);
    expect((await (await boards().open('/project')).add({ title: 'three' }, 'ada')).id).toBe('HB-3');
    await disk.remove(`${directory}/board.json`);
    expect((await (await boards().open('/project')).add({ title: 'four' }, 'ada')).id).toBe('HB-4');
  });
});

describe('an import', () => {
  test('skips titles that are open and repeats, and says so', async () => {
    const { board } = await setup();
    await board.import('- [ ] open\n- [x] closed', 'a.md', 'ada');
    const { created, skipped } = await board.import(
      '- [ ] open\n- [ ] closed\n- [ ] new\n- [ ] new',
      'a.md',
      'ada',
    );
    expect(created.map(({ id, title }) => `${id} ${title}`)).toEqual(['HB-3 closed', 'HB-4 new']);
    expect(skipped).toEqual([
      { title: 'open', why: 'HB-1 is open with this title' },
      { title: 'new', why: 'it stands earlier in this import' },
    ]);
  });

  test('with one bad entry changes nothing', async () => {
    const { board } = await setup();
    await expect(board.import('[{"title":"a"},{"title":""}]', 'a.json', 'ada')).rejects.toMatchObject({
      code: 'invalid_import',
    });
    expect((await board.list()).tickets).toEqual([]);
    expect((await board.add({ title: 'one' }, 'ada')).id).toBe('HB-1');
  });
});

describe('a damaged file', () => {
  test.each([
    ['torn', '{"id": "HB-1", "ti', 'not JSON'],
    ['empty', '', 'not JSON'],
    ['of another shape', '{"id": "HB-1"}', '"title" is missing'],
    ['of another ticket', null, 'it calls itself HB-2'],
  ])('of a ticket, %s: the others stay usable and it is not touched', async (_, text, why) => {
    const { board, disk } = await setup();
    await board.add({ title: 'one' }, 'ada');
    await board.add({ title: 'two' }, 'ada');
    const file = `${directory}/tickets/HB-1.json`;
    const damage = text === null ? (await disk.read(`${directory}/tickets/HB-2.json`))! : bytes(text);
    await disk.write(file, damage);

    const list = await board.list();
    expect(titles(list)).toEqual(['two']);
    expect(list.damaged).toEqual([
      { file, why: expect.stringMatching(new RegExp(`^${why}.*; repair it, or move it elsewhere`)) },
    ]);
    for (const work of [board.get('1'), board.move('1', 'ready', 'ada'), board.close('1', 'ada')]) {
      await expect(work).rejects.toMatchObject({
        code: 'ticket_damaged',
        message: expect.stringContaining(file),
      });
    }
    expect((await board.move('2', 'ready', 'ada')).changed).toBe(true);
    expect((await board.add({ title: 'three' }, 'ada')).id).toBe('HB-3');
    expect(await disk.read(file)).toEqual(damage);
  });

  test.each([
    ['board.json', 'nonsense'],
    ['board.json', '{"format": 1, "next": 0}'],
    ['workspace.json', '{}'],
    ['workspace.json', '{"format": 1, "path": "/elsewhere"}'],
    ['import.json', '[]'],
  ])('%s holding %s is board_damaged, until it is repaired', async (name, text) => {
    const { board, boards, disk } = await setup();
    await board.add({ title: 'one' }, 'ada');
    const file = `${directory}/${name}`;
    const good = await disk.read(file);
    await disk.write(file, bytes(text));
    const later = boards();
    const list = async () => (await later.open('/project')).list();
    await expect(list()).rejects.toMatchObject({
      code: 'board_damaged',
      message: expect.stringContaining(file),
    });
    expect(new TextDecoder().decode((await disk.read(file))!)).toBe(text);
    if (good === null) await disk.remove(file);
    else await disk.write(file, good);
    expect(titles(await list())).toEqual(['one']);
  });
});
