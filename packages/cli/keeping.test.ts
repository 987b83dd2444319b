import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { ConversationView } from '@hearth/protocol/view.ts';
import { RetentionReport } from '@hearth/protocol/retention.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { run } from './main.ts';

/* The commands that name, keep, reset, close and bring back conversations, against a real service. */

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-keeping-')));
const home = join(base, 'home');

async function hearth(words: readonly string[], at = home) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const read = async (stream: PassThrough): Promise<string> =>
    (await stream.setEncoding('utf8').toArray()).join('');
  const printed = Promise.all([read(stdout), read(stderr)]);
  stdin.end();
  const code = await run(words, {
    env: { ...process.env, HEARTH_HOME: at },
    cwd: base,
    stdin,
    stdout,
    stderr,
    interrupted: new AbortController().signal,
    interruption: { message: 'Interrupted.' },
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, out, err };
}

const Listed = z.array(
  z.looseObject({ id: z.string(), title: z.string(), state: z.string(), in: z.string().optional() }),
);
const listed = async (...options: string[]) =>
  Listed.parse(JSON.parse((await hearth(['list', '--json', ...options])).out));
const view = (ran: { out: string }) => ConversationView.parse(JSON.parse(ran.out));

describe('the commands of keeping', () => {
  let id: string;
  beforeAll(async () => {
    id = (await hearth(['new', '--bot', 'hello', '--title', 'Draft'])).out.trim();
  });
  afterAll(async () => {
    await hearth(['stop']);
    rmSync(base, { recursive: true, force: true });
  });

  test('list prints an array of rows with all that a script needs', async () => {
    const rows = await listed();
    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(Object.keys(row)).toEqual(
        expect.arrayContaining(['id', 'title', 'isDefault', 'state', 'scope', 'bot', 'updatedAt']),
      );
  });

  test('rename and pin change the row, and take no nonsense', async () => {
    expect(view(await hearth(['rename', id, 'A better name', '--json'])).title).toBe('A better name');
    expect((await hearth(['rename', id, ' '])).code).toBe(64);
    expect(view(await hearth(['pin', id, '--json'])).pinned).toBe(true);
    expect((await hearth(['list'])).out).toContain('A better name (pinned)');
    expect(view(await hearth(['pin', id, '--off', '--json'])).pinned).toBe(false);
    expect(await hearth(['pin', 'c_zzz'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no'),
    });
  });

  test('bot gives another bot, by its name or a path from here, and none that is not there', async () => {
    expect(view(await hearth(['bot', id, 'whats-next', '--json']))).toMatchObject({ id, bot: 'whats-next' });
    const mine = join(base, 'mine');
    await hearth(['init', mine]);
    expect((await hearth(['bot', id, './mine'])).out).toBe(
      `${id} (A better name) runs the bot ${mine} now.\n`,
    );
    expect(await hearth(['bot', id, 'nobody'])).toMatchObject({ code: 1, out: '' });
    expect((await listed()).find(row => row.id === id)).toMatchObject({ bot: mine });
    expect((await hearth(['send', 'hello', '-c', id])).code).toBe(0);
    await hearth(['bot', id, 'hello']);
  });

  test('reset begins anew in the same conversation', async () => {
    writeFileSync(join(base, 'a file.txt'), 'words');
    const missing = await hearth(['send', 'good morning', '-c', id, '--attach', 'nowhere.txt']);
    expect(missing).toMatchObject({
      code: 64,
      err: expect.stringContaining('There is no file "nowhere.txt"'),
    });
    const files = ['--attach', 'a file.txt', '--attach=keeping-file'];
    writeFileSync(join(base, 'keeping-file'), '');
    await hearth(['send', 'good morning', '-c', id, ...files]);
    const log = (await hearth(['show', id, '--json'])).out;
    expect(log).toContain('"name": "a file.txt"');
    expect(log).toContain('"name": "keeping-file"');
    const after = view(await hearth(['reset', id, '--json']));
    expect(after).toMatchObject({ id, title: 'A better name', run: null, pauses: [], state: 'idle' });
    expect(after.head).toMatch(/^2\./);
    const shown = (await hearth(['show', id])).out;
    expect(shown).toContain('— began anew —');
    expect(shown).not.toContain('good morning');
    const [, earlier = ''] = /Earlier: hearth (.*)/.exec(shown) ?? [];
    const before = (await hearth(earlier.split(' '))).out;
    expect(before).toContain('good morning');
    expect(before).not.toContain('Earlier:');
    expect(await hearth(['show', id, '--before', 'x'])).toMatchObject({ code: 64 });
  });

  test('close moves into the trash, list --all shows it there, restore brings it back', async () => {
    expect(await hearth(['close', (await listed()).find(row => row.id !== id)!.id])).toMatchObject({
      code: 1,
      err: expect.stringContaining('default'),
    });
    expect((await hearth(['close', id])).out).toContain(`hearth restore ${id}`);
    expect((await listed()).map(row => row.id)).not.toContain(id);
    expect((await listed('--all')).find(row => row.id === id)).toMatchObject({ state: 'trash', in: 'trash' });
    expect((await hearth(['list', '--all'])).out).toContain('trash');
    expect((await hearth(['trash'])).out).toContain(`${id}  until `);
    expect(view(await hearth(['restore', id.slice(0, 24), '--json']))).toMatchObject({
      id,
      title: 'A better name',
    });
    expect((await hearth(['trash'])).out).toBe('The trash is empty.\n');
    expect(await hearth(['restore', id])).toMatchObject({
      code: 1,
      err: expect.stringContaining('in the trash'),
    });
  });

  test('retention explains every choice, and a dry run changes nothing', async () => {
    const dry = RetentionReport.parse(JSON.parse((await hearth(['retention', '--dry-run', '--json'])).out));
    expect(dry).toMatchObject({ dryRun: true, limits: { conversations: 64, days: 30 } });
    expect(dry.choices.map(choice => choice.reason).toSorted()).toEqual(['default', 'within']);
    expect((await hearth(['retention', '--dry-run'])).out).toContain(
      'A pass would move 0 of 2 conversations',
    );
    expect(await hearth(['retention'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('It passes no limit.'),
    });
  });
});

test('settings that are not as they should be keep the service from starting, in one sentence', async () => {
  const at = join(base, 'set');
  mkdirSync(at, { recursive: true, mode: 0o700 });
  writeFileSync(join(at, 'settings.json'), '{"retention": {"dayz": 3}}');
  const ran = await hearth(['list'], at);
  expect(ran).toMatchObject({ code: 4, out: '' });
  expect(ran.err).toMatch(/^hearth: .*settings\.json.*dayz.*move the file away[^\n]*\n$/);
});
