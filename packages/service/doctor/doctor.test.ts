import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import { offersNamespaces } from '@hearth/backends/tools/namespaces.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { endAll, newHome, serve } from '../testing/served.ts';
import type { Diagnosis } from './check.ts';
import { examine } from './doctor.ts';

afterEach(endAll);

/** A home at rest, with a default and another conversation. */
async function rested(): Promise<{ home: string; standard: ConversationId; other: ConversationId }> {
  const served = await serve(() => [reply('hello')]);
  const standard = (await served.client.default()).id;
  const other = await served.conversation();
  await served.service.stop();
  return { home: served.home, standard, other };
}
const wrong = (all: readonly Diagnosis[]): string[] =>
  all.flatMap(one =>
    one.severity === 'ok' || one.check === 'bots' || one.check === 'bash'
      ? []
      : [`${one.check}: ${one.what}`],
  );
const look = async (home: string): Promise<string[]> => wrong(await examine(home, {}));
const mend = async (home: string): Promise<void> => {
  for (const one of await examine(home, {})) await one.mend?.();
};
const markDefault = (home: string, id: string, is: boolean): void => {
  const path = join(home, 'conversations', id, 'conversation.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...record, default: is }));
};

test('a home at rest and one at work have nothing wrong with them', async () => {
  const { home } = await rested();
  expect(await look(home)).toEqual([]);
  const served = await serve(() => [reply('hello')], { home });
  // In this process the lock is our own, so it is not asked about here.
  await served.service.stop();
  expect((await examine(home, {})).map(one => one.check)).toEqual(
    expect.arrayContaining([
      'node',
      'home',
      'backend',
      'bash',
      'disk',
      'lock',
      'permissions',
      'token',
      'settings',
      'default',
      'integrity',
      'quarantine',
      'bots',
    ]),
  );
});

test.each<[{ HEARTH_BASH?: string }, string, string]>([
  [{}, 'ok', 'kept inside the workspace by namespaces, without a network'],
  [{ HEARTH_BASH: 'network' }, 'ok', 'with the network'],
  [{ HEARTH_BASH: 'open' }, 'ok', 'can do what the user of the service can'],
  [{ HEARTH_BASH: 'yes' }, 'warning', '"yes", which allows nothing'],
])('what commands of a model can reach is told: %j', async (env, severity, what) => {
  const found = (await examine(newHome(), env)).filter(({ check }) => check === 'bash');
  const off = severity === 'ok' && env.HEARTH_BASH !== 'open' && !(await offersNamespaces());
  const [is, said] = off ? ['warning', 'so bash is off'] : [severity, what];
  expect(found[0]).toMatchObject({ severity: is, what: expect.stringContaining(said) as string });
});

test('a system without namespaces is told, with what turns them on', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    vi.resetModules();
    const { bash } = await import('./bash.ts');
    const clock = { now: () => 0 } as never;
    const patient = { home: '/', disk: {} as never, clock, env: {}, holding: 'free' } as const;
    expect(await bash(patient)).toMatchObject([
      { severity: 'warning', what: expect.stringMatching(/so bash is off\..*HEARTH_BASH=open/) as string },
    ]);
  } finally {
    process.env['PATH'] = path;
  }
});

test('a token and a record of the home that cannot be read are told, with what to do', async () => {
  const home = newHome();
  const served = await serve(() => [reply('hello')], { home });
  await served.service.stop();
  writeFileSync(join(home, 'token'), '');
  expect(await look(home)).toEqual([expect.stringContaining('holds no token: remove it')]);
  rmSync(join(home, 'token'));
  mkdirSync(join(home, 'token'), { mode: 0o700 });
  expect(await look(home)).toEqual([expect.stringContaining('is a directory')]);
  writeFileSync(join(home, 'home.json'), '{');
  expect(await look(home)).toEqual([expect.stringContaining('move it away and start again')]);
});

test('without a home it says so and makes none', async () => {
  const home = join(newHome(), 'none');
  expect(await look(home)).toEqual([expect.stringContaining('There is no home yet')]);
  expect(existsSync(home)).toBe(false);
});

test('rights of others are told, and taken away by a repair and by nothing else', async () => {
  const { home, other } = await rested();
  const record = join(home, 'conversations', other, 'conversation.json');
  chmodSync(record, 0o644);
  mkdirSync(join(home, 'workspace', 'mine'), { mode: 0o755 });
  expect(await look(home)).toEqual([expect.stringContaining('Others may use 1 of')]);
  expect(statSync(record).mode & 0o777).toBe(0o644);
  await mend(home);
  expect(statSync(record).mode & 0o777).toBe(0o600);
  expect(await look(home)).toEqual([]);
});

test('what is closed to its owner is told, and opened by a repair', async () => {
  const { home, other } = await rested();
  const record = join(home, 'conversations', other, 'conversation.json');
  const plans = join(home, 'conversations', other, 'epochs', '1', 'plans');
  chmodSync(record, 0o000);
  chmodSync(plans, 0o500);
  const told = async (): Promise<string[]> =>
    (await look(home)).filter(what => what.startsWith('permissions'));
  expect(await told()).toEqual([expect.stringContaining('Yours, and closed to you, are 2 of')]);
  await mend(home);
  expect([record, plans].map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  expect(await look(home)).toEqual([]);
});

test.each([
  ['', 0o000, 0o700, 'The home is yours and closed to you'],
  ['home.json', 0o000, 0o600, 'The record of the home is yours and closed to you'],
])(
  'a home whose "%s" is closed to its owner is opened by a repair, and then looked at',
  async (name, mode, mended, what) => {
    const { home } = await rested();
    const path = join(home, name);
    chmodSync(path, mode);
    // Root reads what is closed to others too, so nothing is wrong there for it.
    if (name !== '' && process.getuid?.() === 0) expect(await look(home)).not.toEqual([]);
    else expect(await look(home)).toEqual([expect.stringContaining(what)]);
    await mend(home);
    expect(statSync(path).mode & 0o777).toBe(mended);
    expect(await look(home)).toEqual([]);
  },
);

test.runIf(process.getuid?.() === 0)(
  'what belongs to another user is told, with who can give it back',
  async () => {
    const { home, other } = await rested();
    const record = join('conversations', other, 'conversation.json');
    chownSync(join(home, record), 65534, 65534);
    const told = `Another user’s (uid 65534) are 1 of the home’s files and directories (the first is "${record}"). Only that user or root can give them back: chown -R 0 "${home}".`;
    expect(await look(home)).toEqual([`permissions: ${told}`]);
    await mend(home);
    expect(statSync(join(home, record)).uid).toBe(65534);
  },
);

test('of several defaults a repair keeps the oldest, and where there is none it takes the oldest', async () => {
  const { home, standard, other } = await rested();
  markDefault(home, other, true);
  expect(await look(home)).toEqual([expect.stringContaining('2 conversations claim to be the default')]);
  await mend(home);
  expect(await look(home)).toEqual([]);
  markDefault(home, standard, false);
  expect(await look(home)).toEqual([expect.stringContaining('No conversation is the default')]);
  await mend(home);
  const served = await serve(() => [reply('x')], { home });
  expect((await served.client.default()).id).toBe(standard);
});

test('where the record of the default cannot be read, it is not said that there is none', async () => {
  const { home, standard } = await rested();
  writeFileSync(join(home, 'conversations', standard, 'conversation.json'), '{');
  expect(await look(home)).toContainEqual(
    expect.stringContaining('No conversation whose record can be read is the default.'),
  );
});

test('what else can be wrong is told with its place', async () => {
  const { home, other } = await rested();
  writeFileSync(
    join(home, 'service.json'),
    JSON.stringify({ pid: 1, startedAt: 'x', address: 'http://x', version: '0', start: 'x' }),
  );
  writeFileSync(join(home, 'settings.json'), '{"nonsense": 1}');
  symlinkSync('/etc', join(home, 'conversations', 'link'));
  writeFileSync(join(home, 'conversations', other, 'epochs', '1', 'snapshot.json'), '{');
  for (const file of ['service.json', 'settings.json']) chmodSync(join(home, file), 0o600);
  const found = (await look(home)).join('\n');
  for (const part of [
    'has died',
    'nonsense',
    'There is a link among',
    'is damaged',
    'belongs to no conversation',
  ]) {
    expect(found).toContain(part);
  }
  await mend(home);
  expect(existsSync(join(home, 'service.json'))).toBe(false);
  rmSync(join(home, 'conversations', 'link'));
});

test('what was half written is removed by a repair, and files of other names are not', async () => {
  const { home, other } = await rested();
  const root = join(home, 'conversations', other);
  const left = [join(home, '.home.json.17-1.tmp'), join(root, '.conversation.json.17-2.tmp')];
  const mine = join(root, '.notes.tmp');
  for (const path of [...left, mine]) writeFileSync(path, '{', { mode: 0o600 });
  expect(await look(home)).toEqual([expect.stringMatching(/^permissions: Half written .*: 2 files\.$/)]);
  await mend(home);
  expect(await look(home)).toEqual([]);
  expect([...left, mine].map(path => existsSync(path))).toEqual([false, false, true]);
});

test('a damaged conversation is named with its repair, and mended by it', async () => {
  const { home, standard, other } = await rested();
  const file = (id: ConversationId, name: string): string => join(home, 'conversations', id, name);
  writeFileSync(file(standard, 'conversation.json'), '{');
  writeFileSync(file(other, 'epochs/1/snapshot.json'), '');
  const found = (await examine(home, {})).filter(one => one.check === 'integrity');
  expect(found.map(one => one.repair)).toEqual([
    expect.stringContaining('mends the conversation'),
    expect.stringContaining('mends the conversation'),
  ]);
  await mend(home);
  expect((await look(home)).filter(line => !line.startsWith('quarantine:'))).toEqual([]);
  const served = await serve(() => [reply('x')], { home });
  expect((await served.client.default()).id).toBe(standard);
  expect((await served.client.list({})).conversations).toHaveLength(2);
});

test('what lies in quarantine comes back, the default as the default, unless its place is taken', async () => {
  const { home, standard, other } = await rested();
  const set = (id: ConversationId): string => {
    const label = join(home, 'quarantine', `2026-01-01T00-00-00-000Z-${id}`);
    mkdirSync(label, { recursive: true, mode: 0o700 });
    renameSync(join(home, 'conversations', id), join(label, id));
    writeFileSync(join(label, id, 'conversation.json'), '{', { mode: 0o600 });
    return label;
  };
  for (const id of [standard, other]) set(id);
  chmodSync(join(home, 'quarantine'), 0o700);
  expect((await look(home)).join()).toContain('Something was set aside');
  await mend(home);
  expect(readdirSync(join(home, 'quarantine')).filter(name => name.includes('c_'))).toEqual([]);
  const served = await serve(() => [reply('x')], { home });
  expect((await served.client.default()).id).toBe(standard);
  expect((await served.client.list({})).conversations.map(row => row.id).toSorted()).toEqual(
    [standard, other].toSorted(),
  );
  await served.service.stop();
  const label = set(other);
  mkdirSync(join(home, 'conversations', other), { mode: 0o700 });
  const [kept] = (await examine(home, {})).filter(one => one.path === label);
  expect(kept).toMatchObject({ repair: null, what: expect.stringContaining('in its place again') });
});
