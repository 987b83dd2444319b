import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { TurnReport } from '@hearth/protocol/turn-report.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closingIds } from './closing.ts';
import { run } from './main.ts';
import { standing } from './standing.ts';

/*
 * The command line against a real service in its own process, one home for all tests of the file. Commands run in this
 * process; those about processes run through the launcher.
 */

const LAUNCHER = fileURLToPath(new URL('../../bin/hearth.js', import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-cli-')));
const home = join(base, 'home');
const project = join(base, 'project');
mkdirSync(join(project, '.git'), { recursive: true });
mkdirSync(join(project, 'deep'));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Begins a command through the launcher. */
function begin(words: readonly string[], at = home): ChildProcess {
  const env = { ...process.env, HEARTH_HOME: at };
  return spawn(process.execPath, [LAUNCHER, ...words], { cwd: join(project, 'deep'), env });
}

const over = (child: ChildProcess): Promise<number | null> =>
  new Promise(resolve => child.once('close', resolve));

/** Runs a command in this process. */
async function hearth(words: readonly string[], input = '', at = home): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const read = async (stream: PassThrough): Promise<string> =>
    (await stream.setEncoding('utf8').toArray()).join('');
  const printed = Promise.all([read(stdout), read(stderr)]);
  stdin.end(input);
  const code = await run(words, {
    env: { ...process.env, HEARTH_HOME: at },
    cwd: join(project, 'deep'),
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

const parsed = (ran: Ran): Record<string, unknown> => JSON.parse(ran.out) as Record<string, unknown>;
const file = (name: string, text: string): string => {
  writeFileSync(join(base, name), text);
  return join(base, name);
};

describe('without a service', () => {
  test('status looks and starts nothing', async () => {
    const ran = await hearth(['status', '--json']);
    expect(ran).toMatchObject({ code: 1, err: '' });
    expect(parsed(ran)).toEqual({ running: false, home });
    expect((await hearth(['status'])).out).toContain('No service');
  });

  test('wrong usage is 64 and one line', async () => {
    const ran = await hearth(['send']);
    expect(ran).toMatchObject({ code: 64, out: '' });
    expect(ran.err).toMatch(/^hearth: [^\n]+\n$/);
  });

  test('check prints file:line:column code severity message, and the fix', async () => {
    const bad = file('bad.bot', 'workflow broken:\n  entry: nowhere\n');
    const ran = await hearth(['check', bad]);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^\S+bad\.bot:\d+:\d+ [CEH]\d+ error \S.*$/m);
    expect(parsed(await hearth(['check', '--json', bad]))).toMatchObject({ path: bad, ok: false });
  });

  test.each([
    ['a file', file('plain', ''), /not a directory/],
    ['a folder of other things', project, /no Hearth home/],
  ])('a home that is %s is refused in one line', async (_name, at, words) => {
    const ran = await hearth(['list'], '', at);
    expect(ran).toMatchObject({ code: 4, out: '' });
    expect(ran.err).toMatch(words);
    expect(ran.err).toMatch(/^hearth: [^\n]+\n$/);
  });
});

describe('with a service', () => {
  let made: string;

  beforeAll(async () => {
    // Three at once: one starts the service, the others attach to it.
    const all = await Promise.all([
      hearth(['new', '--bot', 'hello', '--title', 'Talk']),
      hearth(['list']),
      hearth(['list']),
    ]);
    expect(all.map(ran => [ran.code, ran.err])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    made = (all[0]?.out ?? '').trim();
    expect(made).toMatch(/^c_[0-9a-z]{26}$/);
  });

  afterAll(async () => {
    expect(await hearth(['stop'])).toMatchObject({ code: 0, out: 'Stopped.\n' });
    expect((await hearth(['status'])).code).toBe(1);
  });

  test('send prints the settled turn, from an argument and from stdin', async () => {
    const ran = await hearth(['send', 'Good morning', '-c', made, '--json']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(TurnReport.parse(JSON.parse(ran.out))).toMatchObject({ conversation: made, state: 'settled' });
    const piped = await hearth(['send', '-', '--conversation', made.slice(0, 24)], 'And again\n');
    expect(piped.code).toBe(0);
    expect(piped.out.trim()).not.toBe('');
    const shown = await hearth(['show', made]);
    expect(shown.out).toContain('Good morning');
    expect(shown.out).toContain('And again\n');
  });

  test('a question makes send wait with 3, a message behind it queues, an answer settles it', async () => {
    const workspace = ['--workspace', mkdtempSync(join(base, 'asked-'))];
    for (const title of ['One', 'Two', 'Three']) await hearth(['board', 'add', title, ...workspace]);
    const asked = await hearth(['send', 'close all the tickets', '--json', ...workspace]);
    expect(asked.code).toBe(3);
    const question = TurnReport.parse(JSON.parse(asked.out)).questions[0];
    expect(question).toMatchObject({ kind: 'question' });
    const behind = await hearth(['send', 'hello', ...workspace]);
    expect(behind).toMatchObject({
      code: 3,
      out: expect.stringContaining(`hearth answer ${question?.id}`) as string,
    });
    expect(behind.out).toContain('queued');
    expect(await hearth(['answer', question?.id ?? '', '--choice', 'perhaps'])).toMatchObject({
      code: 1,
      out: '',
    });
    const answered = await hearth(['answer', question?.id ?? '', '--choice', 'no', '--json']);
    expect(answered.code).toBe(0);
    expect(TurnReport.parse(JSON.parse(answered.out))).toMatchObject({ state: 'settled' });
    expect(await hearth(['answer', question?.id ?? '', '--choice', 'yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('already answered') as string,
    });
  });

  test('another conversation becomes the default, and back', async () => {
    const conversations = JSON.parse((await hearth(['list', '--json'])).out) as {
      id: string;
      isDefault: boolean;
    }[];
    const first = conversations.find(row => row.isDefault)?.id ?? '';
    expect((await hearth(['default', made])).code).toBe(0);
    expect(parsed(await hearth(['show', '--json']))).toMatchObject({ view: { id: made, isDefault: true } });
    expect((await hearth(['default', first])).code).toBe(0);
  });

  test('the checkout around the caller is the workspace', async () => {
    await hearth(['board', 'add', 'Mend the door']);
    const board = parsed(await hearth(['board', 'list', '--json']));
    expect(board).toMatchObject({ workspace: project, tickets: [{ id: 'HB-1', title: 'Mend the door' }] });
  });

  test('the board, by its commands', async () => {
    const list = file('list.md', '- [ ] Paint the wall\n- [ ] Sweep the floor\n');
    const workspace = ['--workspace', mkdtempSync(join(base, 'other-'))];
    expect((await hearth(['board', 'import', list, ...workspace])).out).toContain('2 imported');
    expect((await hearth(['board', 'import', '-', ...workspace], '[{"title": "Wash"}]')).code).toBe(0);
    expect(parsed(await hearth(['board', 'move', 'HB-1', 'ready', '--json', ...workspace]))).toMatchObject({
      state: 'ready',
    });
    expect(
      parsed(await hearth(['board', 'label', '1', 'home,wet', 'big', '--json', ...workspace])),
    ).toMatchObject({ labels: ['big', 'home', 'wet'] });
    expect(parsed(await hearth(['board', 'assign', '1', 'ada', '--json', ...workspace]))).toMatchObject({
      owner: 'ada',
    });
    expect(parsed(await hearth(['board', 'assign', '1', '--json', ...workspace]))).toMatchObject({
      owner: null,
    });
    expect(
      parsed(await hearth(['board', 'close', '1', '--comment', 'Dry.', '--json', ...workspace])),
    ).toMatchObject({ state: 'done', comments: [{ body: 'Dry.' }] });
    expect(await hearth(['board', 'show', 'HB-9', ...workspace])).toMatchObject({ code: 1, out: '' });
    expect(await hearth(['board', 'move', '1', 'flying', ...workspace])).toMatchObject({ code: 64, out: '' });
  });

  test('a closing that was cut short after its comment is finished, with one comment', async () => {
    const workspace = realpathSync(mkdtempSync(join(base, 'closing-')));
    const words = ['--workspace', workspace];
    await hearth(['board', 'add', 'Mend the roof', ...words]);
    const found = await standing(home, 'cli');
    if (found.is !== 'answers') throw new Error('no service');
    const { client } = found;
    // What the cut command had done: the comment, under the id that follows from what was asked.
    const open = await client.ticket(workspace, 'HB-1');
    const { comment } = closingIds(client.actor, workspace, open, 'Dry.');
    await client.commentTicket(workspace, 'HB-1', 'Dry.', { commandId: comment });

    const close = (): Promise<Ran> =>
      hearth(['board', 'close', '1', '--comment', 'Dry.', '--json', ...words]);
    expect(parsed(await close())).toMatchObject({ state: 'done', comments: [{ body: 'Dry.' }] });
    await hearth(['board', 'move', '1', 'ready', ...words]);
    const again = parsed(await close());
    expect(again['state']).toBe('done');
    expect(again['comments']).toHaveLength(2);
  });

  test.each<[string, string[], string, number, RegExp]>([
    ['an unknown conversation', ['send', 'x', '-c', `c_${'0'.repeat(26)}`], '', 1, /no conversation/],
    ['an unknown bot', ['new', '--bot', 'nobody'], '', 1, /no bot "nobody"/],
    ['a bot with errors', ['new', '--bot', join(base, 'bad.bot')], '', 1, /has an error.*hearth check/],
    ['a question that never was', ['answer', 'p99', '--choice', 'yes'], '', 1, /p99/],
    ['a message of 5 MB', ['send', '-'], 'x'.repeat(5_000_000), 1, /larger than 1 MiB/],
    [
      'a workspace that is none',
      ['send', 'x', '--workspace', join(base, 'nowhere')],
      '',
      1,
      /not a directory/,
    ],
    ['a second service', ['serve'], '', 1, /already serves/],
    ['the console without a terminal', ['open'], '', 4, /terminal/],
  ])('%s is refused in one line', async (_name, words, input, code, message) => {
    const ran = await hearth(words, input);
    expect(ran).toMatchObject({ code, out: '' });
    expect(ran.err).toMatch(message);
    expect(ran.err).toMatch(/^hearth: [^\n]+\n$/);
  });

  test('a port that is taken is refused, and says so', async () => {
    const { address } = JSON.parse(readFileSync(join(home, 'service.json'), 'utf8')) as { address: string };
    const ran = await hearth(['serve', '--port', new URL(address).port], '', join(base, 'second'));
    expect(ran).toMatchObject({ code: 4, out: '' });
    expect(ran.err).toMatch(/port \d+ .* is taken/);
  });

  test('without a terminal, start says where the service is', async () => {
    expect(await hearth([])).toMatchObject({
      code: 0,
      out: expect.stringContaining('http://127.0.0.1:') as string,
    });
  });

  test('output that nobody reads ends the command quietly', async () => {
    const child = begin(['help']);
    child.stdout?.destroy();
    let err = '';
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const code = await over(child);
    expect([code, err]).toEqual([0, '']);
  });
});

test('an interrupted command says so and ends with 130', async () => {
  const stderr = new PassThrough();
  const interrupted = new AbortController();
  interrupted.abort();
  const code = await run(['list'], {
    env: { HEARTH_HOME: file('no-home', '') },
    cwd: project,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    interrupted: interrupted.signal,
    interruption: { message: 'Interrupted; it goes on.' },
  });
  expect([code, String(stderr.read())]).toEqual([130, 'hearth: Interrupted; it goes on.\n']);
});

test('serve runs here until it is interrupted, and leaves nothing behind', async () => {
  const at = join(base, 'serve');
  const child = begin(['serve'], at);
  const out = await new Promise<string>(resolve =>
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  expect(out).toMatch(/^Hearth serves at http:\/\/127\.0\.0\.1:\d+\n$/);
  child.kill('SIGINT');
  expect(await over(child)).toBe(0);
  expect((await hearth(['status'], '', at)).code).toBe(1);
});
