import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { BundleBots, checkBundle } from './bots.ts';
import { placeBundle, readBundle } from './bundle.ts';

const MAIN = `schema said:
  message: string

prompt words:
  Say something.

human chat:
  output: said
  instructions: words

workflow talk:
  entry: chat
  chat -> done
`;

const WITHOUT_PROMPT = MAIN.replace('prompt words:\n  Say something.\n\n', '');

const temp = (): string => mkdtempSync(join(tmpdir(), 'hearth-bundle-'));

function bundle(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = temp();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const tarOf = (files: Readonly<Record<string, string>>): Promise<Uint8Array> =>
  packTar(
    Object.entries(files).map(([name, body]) => ({
      header: { name, size: Buffer.byteLength(body), type: 'file' as const },
      body,
    })),
  );

async function packed(files: Readonly<Record<string, string>>, name = 'talker.botz'): Promise<string> {
  const path = join(temp(), name);
  writeFileSync(path, gzipSync(await tarOf(files)));
  return path;
}

const said = async (path: string): Promise<readonly string[]> =>
  (await checkBundle(path)).map(one => `${one.code} ${one.file}:${one.at.line}:${one.at.column}`);

describe('files that may not be read', () => {
  const hostile = (make: (root: string) => void): string => {
    const root = bundle({ 'main.bot': MAIN });
    mkdirSync(join(root, 'prompts'));
    make(root);
    return root;
  };

  test.each<[string, (root: string) => void, string, string]>([
    [
      'a link out of the bundle',
      root => symlinkSync('/etc/hostname', join(root, 'prompts/a.md')),
      'a.md',
      'out',
    ],
    ['a device', root => symlinkSync('/dev/zero', join(root, 'prompts/a.md')), 'a.md', 'out'],
    ['a pipe', root => execFileSync('mkfifo', [join(root, 'prompts/a.md')]), 'a.md', 'plain file'],
    ['a directory', root => mkdirSync(join(root, 'prompts/a.md')), 'a.md', 'plain file'],
    [
      'a source that is too large',
      root => writeFileSync(join(root, 'prompts/a.md'), 'x'.repeat(1024 * 1024 + 1)),
      'a.md',
      '1 MiB',
    ],
  ])('%s is refused by name', async (_, make, name, words) => {
    const found = await checkBundle(hostile(make));
    expect(found).toMatchObject([{ code: 'H208', severity: 'error', file: `prompts/${name}` }]);
    expect(found[0]?.message).toContain(words);
  });

  test('a link inside the bundle is a file like any other', async () => {
    const root = bundle({ 'main.bot': WITHOUT_PROMPT, 'texts/words.md': 'Hi' });
    mkdirSync(join(root, 'prompts'));
    symlinkSync('../texts/words.md', join(root, 'prompts/words.md'));
    expect(await said(root)).toEqual([]);
  });

  test('a whole directory of prompts that leads out', async () => {
    const root = bundle({ 'main.bot': MAIN });
    symlinkSync(bundle({ 'a.md': 'x' }), join(root, 'prompts'));
    expect(await said(root)).toEqual(['H208 prompts/a.md:1:1']);
  });

  test('bytes that are no UTF-8 are told where they stand', async () => {
    const bytes = Buffer.concat([Buffer.from('workflow w:\n  é '), Buffer.from([0xff]), Buffer.from('\n')]);
    const found = await checkBundle(bundle({ 'main.bot': bytes }));
    expect(found.find(one => one.code === 'E006')).toMatchObject({
      file: 'main.bot',
      at: { line: 2, column: 5 },
    });
  });

  test('a graph of more than 10 MiB is judged by the compiler', async () => {
    expect(await said(bundle({ 'main.bot': '#'.repeat(10 * 1024 * 1024 + 2) }))).toContain(
      'E001 main.bot:1:1',
    );
  });
});

test('prompts may have any ends of lines and a byte order mark', async () => {
  const root = bundle({ 'main.bot': `\uFEFF${WITHOUT_PROMPT}`, 'prompts/words.md': '\uFEFFOne\r\ntwo\r\n' });
  const bot = await new BundleBots().load(root);
  expect(bot.plan.prompts['words']).toEqual(['One\ntwo']);
});

test('a prompt in the graph comes before one of the same name in a file', async () => {
  const bot = await new BundleBots().load(bundle({ 'main.bot': MAIN, 'prompts/words.md': 'From the file.' }));
  expect(bot.plan.prompts['words']).toEqual(['Say something.']);
});

describe('defaults of attachments', () => {
  const manifest = (path: string): string => `name: x\nattachments:\n  logo: ${path}\n`;
  test('are found by their absolute path', async () => {
    const root = bundle({
      'main.bot': MAIN,
      'manifest.yaml': manifest('attachments/a/logo.png'),
      'attachments/a/logo.png': 'x',
    });
    const { attachments, diagnostics } = await readBundle(placeBundle(root));
    expect(diagnostics).toEqual([]);
    expect(readFileSync(attachments['logo'] ?? '', 'utf8')).toBe('x');
  });

  test.each(['logo.png', '/etc/hostname', 'attachments/../main.bot', 'attachments/none.png', 'attachments'])(
    'not from %s',
    async path => {
      expect(await said(bundle({ 'main.bot': MAIN, 'manifest.yaml': manifest(path) }))).toEqual([
        'H208 manifest.yaml:3:9',
      ]);
    },
  );

  test('not through a link that leads out', async () => {
    const root = bundle({ 'main.bot': MAIN, 'manifest.yaml': manifest('attachments/logo') });
    mkdirSync(join(root, 'attachments'));
    symlinkSync('/etc/hostname', join(root, 'attachments/logo'));
    expect(await said(root)).toEqual(['H208 manifest.yaml:3:9']);
  });
});

describe('packed bundles', () => {
  const FILES = {
    'main.bot': WITHOUT_PROMPT,
    'manifest.yaml': 'display_name: Talker\nattachments:\n  logo: attachments/logo\n',
    'prompts/words.md': 'Hi',
    'skills/listen/SKILL.md': '---\ndescription: How to listen well.\n---\nSay nothing.\n',
    'attachments/logo': 'x',
  };

  test('is a bot like its directory, and equal to it', async () => {
    const [fromArchive, fromDirectory] = [
      await new BundleBots().load(await packed(FILES)),
      await new BundleBots().load(bundle(FILES)),
    ];
    expect(fromArchive.title).toBe('Talker');
    expect(fromArchive.digest).toBe(fromDirectory.digest);
    expect(fromArchive.tools.map(tool => tool.name)).toEqual(['skill']);
  });

  test('may be a zip', async () => {
    const path = join(temp(), 'x.botz');
    writeFileSync(
      path,
      zipSync(Object.fromEntries(Object.entries(FILES).map(([k, v]) => [k, Buffer.from(v)]))),
    );
    expect(await said(path)).toEqual([]);
  });

  test('is looked at without anything being written', async () => {
    const path = await packed(FILES);
    expect(await said(path)).toEqual([]);
    expect(readdirSync(dirname(path))).toEqual(['talker.botz']);
  });

  test('its files are kept once, whole and private', async () => {
    const directory = join(temp(), 'bundles');
    const bots = new BundleBots(undefined, { disk: nodeDisk, directory });
    const [one, two] = [await packed(FILES), await packed(FILES)];
    await bots.load(one);
    const [slot, ...others] = readdirSync(directory);
    expect(slot).toMatch(/^[0-9a-f]{16}$/);
    expect(others).toEqual([]);
    const root = join(directory, slot ?? '');
    expect(readFileSync(join(root, 'attachments/logo'), 'utf8')).toBe('x');
    for (const [path, mode] of [
      [root, 0o700],
      [join(root, 'skills/listen'), 0o700],
      [join(root, 'main.bot'), 0o600],
    ] as const) {
      expect(statSync(path).mode & 0o777).toBe(mode);
    }
    const made = statSync(root).ino;
    await bots.load(two);
    expect(readdirSync(directory)).toEqual([slot]);
    expect(statSync(root).ino).toBe(made);
  });

  test('one that is refused is told, and leaves nothing behind', async () => {
    const directory = join(temp(), 'bundles');
    const path = await packed({ ...FILES, '../evil': 'x' });
    expect(await checkBundle(path)).toMatchObject([
      { code: 'H205', severity: 'error', file: '.', message: expect.stringContaining('leads out') },
    ]);
    const error = await new BundleBots(undefined, { disk: nodeDisk, directory }).load(path).catch(String);
    expect(error).toContain('has an error and cannot run');
    expect(readdirSync(dirname(directory))).toEqual([]);
  });

  test('one that is too large is not read to its end', async () => {
    const path = join(temp(), 'large.botz');
    writeFileSync(path, '');
    truncateSync(path, 8 * 1024 * 1024 * 1024);
    expect(await said(path)).toEqual(['H207 .:1:1']);
  });

  test('one without main.bot at its top is refused', async () => {
    expect(await said(await packed({ 'bot/main.bot': MAIN }))).toEqual(['H204 .:1:1']);
  });

  test('a new archive in its place is a new bot', async () => {
    const path = await packed(FILES);
    const bots = new BundleBots();
    const first = await bots.load(path);
    expect(await bots.load(path)).toBe(first);
    writeFileSync(path, gzipSync(await tarOf({ ...FILES, 'prompts/words.md': 'Hello there' })));
    expect((await bots.load(path)).digest).not.toBe(first.digest);
  });
});

test.each(['talk.bot', 'talk.iter'])('%s is a bundle by itself', async name => {
  const root = bundle({ [name]: MAIN, 'prompts/words.md': '{{nope' });
  expect(await said(join(root, name))).toEqual([]);
});
