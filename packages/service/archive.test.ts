import { gzipSync } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArchiveError } from './archive-error.ts';
import { unpackArchive } from './archive.ts';

type Header = Parameters<typeof packTar>[0][number]['header'];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (name: string, text = 'x') => ({
  header: { name, size: bytes(text).length, type: 'file' } as Header,
  body: text,
});
const special = (name: string, type: Header['type'], linkname = '') => ({
  header: { name, size: 0, linkname, ...(type ? { type } : {}) } as Header,
});
const tarOf = (...entries: Parameters<typeof packTar>[0]) => packTar(entries);
const packed = async (...entries: Parameters<typeof packTar>[0]) => gzipSync(await tarOf(...entries));
const zipped = (files: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)])));

const refusal = async (archive: Uint8Array): Promise<string> =>
  unpackArchive(archive).then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error;
      expect(error.message).toMatch(/^its? /);
      return error.code;
    },
  );

describe('what is unpacked', () => {
  test('a tar and a zip give the same files, sorted, whatever they are called', async () => {
    const texts = { 'main.bot': 'a', 'prompts/ask.md': 'é', 'skills/x/SKILL.md': '' };
    const tar = await unpackArchive(
      await packed(
        special('skills/', 'directory'),
        file('./prompts/ask.md', 'é'),
        file('skills/x/SKILL.md', ''),
        file('main.bot', 'a'),
      ),
    );
    const zip = await unpackArchive(zipped(texts));
    for (const { files } of [tar, zip]) {
      expect([...files].map(([name, data]) => [name, new TextDecoder().decode(data)])).toEqual(
        Object.entries(texts),
      );
    }
  });

  test('the slot is named by the tar, however it was packed', async () => {
    const tar = await tarOf(file('main.bot'));
    const [fast, small] = [1, 9].map(level => gzipSync(tar, { level }));
    const slot = (await unpackArchive(fast ?? tar)).slot;
    expect(slot).toMatch(/^[0-9a-f]{16}$/);
    expect((await unpackArchive(small ?? tar)).slot).toBe(slot);
    expect((await unpackArchive(await packed(file('main.bot', 'y')))).slot).not.toBe(slot);
  });

  test('a file with the name of a property of all objects is a file', async () => {
    expect([...(await unpackArchive(await packed(file('__proto__')))).files.keys()]).toEqual(['__proto__']);
  });
});

describe('names that are refused', () => {
  const NAMES: readonly [string, string][] = [
    ['/etc/passwd', 'H205'],
    ['../main.bot', 'H205'],
    ['prompts/../../x', 'H205'],
    ['a/..', 'H205'],
    ['C:/x', 'H205'],
    ['a\\b', 'H205'],
    ['..\\b', 'H205'],
    ['a\nb', 'H205'],
    [`${'a/'.repeat(20)}b`, 'H205'],
    [`${'a'.repeat(600)}`, 'H205'],
  ];

  test.each(NAMES)('%j in a tar', async (name, code) => {
    expect(await refusal(await packed(file('main.bot'), file(name)))).toBe(code);
  });

  test.each(NAMES)('%j in a zip', async (name, code) => {
    expect(await refusal(zipped({ 'main.bot': 'x', [name]: 'x' }))).toBe(code);
  });

  test('a NUL in a long name', async () => {
    const entry = { header: { name: 'a', size: 0, type: 'file', pax: { path: 'a\0b' } } as Header, body: '' };
    expect(await refusal(await packed(entry))).toBe('H205');
    expect(await refusal(zipped({ 'a\0b': 'x' }))).toBe('H205');
  });
});

describe('entries that are refused', () => {
  test.each<[Header['type'], string]>([
    ['symlink', '/etc/passwd'],
    ['symlink', 'main.bot'],
    ['link', 'main.bot'],
    ['character-device', ''],
    ['block-device', ''],
    ['fifo', ''],
  ])('a %s to %j in a tar', async (type, target) => {
    expect(await refusal(await packed(file('main.bot'), special('other', type, target)))).toBe('H205');
  });

  test('a link in a zip', async () => {
    const link: Zippable = { link: [bytes('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] };
    expect(await refusal(zipSync(link))).toBe('H205');
    const plain: Zippable = { file: [bytes('x'), { os: 3, attrs: 0o100644 << 16 }] };
    expect(await refusal(zipSync(plain))).toBe('accepted');
  });

  test.each([
    ['the same name twice', ['main.bot', './main.bot']],
    ['names that differ in case', ['main.bot', 'Main.bot']],
    ['names that differ in case higher up', ['prompts/a.md', 'Prompts/a.md']],
    ['names that are written in two ways', ['\u00e9', 'e\u0301']],
    ['a file that is also a directory', ['prompts', 'prompts/a.md']],
    ['a file that is also a directory, in another case', ['Prompts', 'prompts/a.md']],
  ])('%s', async (_, names) => {
    expect(await refusal(await packed(...names.map(name => file(name))))).toBe('H206');
  });
});

describe('bounds', () => {
  test('too many entries', async () => {
    const many = Array.from({ length: 4097 }, (_, at) => file(`f${at}`));
    expect(await refusal(await packed(...many))).toBe('H207');
    expect(await refusal(zipped(Object.fromEntries(many.map(one => [one.header.name, 'x']))))).toBe('H207');
  });

  test('content that is far larger than the archive', async () => {
    const zeros = '\0'.repeat(8 * 1024 * 1024);
    expect(await refusal(await packed(file('main.bot', zeros)))).toBe('H207');
    expect(await refusal(zipped({ 'main.bot': zeros }))).toBe('H207');
  });

  test('a zip that lies about its sizes', async () => {
    const archive = zipped({ 'main.bot': 'x'.repeat(1000) });
    const view = new DataView(archive.buffer);
    const entry = archive.findIndex(
      (_, at) => at + 4 <= archive.length && view.getUint32(at, true) === 0x02014b50,
    );
    view.setUint32(entry + 24, 10, true);
    expect(await refusal(archive)).toBe('H204');
  });
});

describe('what is no archive', () => {
  test.each([
    ['nothing', new Uint8Array()],
    ['text', bytes('workflow w:')],
    ['gzip of no tar', gzipSync('workflow w:')],
    ['half a zip', zipped({ 'main.bot': 'x' }).subarray(0, 40)],
    ['the start of a zip', bytes('PK')],
  ])('%s', async (_, archive) => {
    expect(await refusal(archive)).toBe('H204');
  });

  test('any damage gives files or a refusal', async () => {
    const archives = [
      await packed(file('main.bot', 'abc'), file('b/c')),
      zipped({ 'main.bot': 'abc', 'b/c': 'x' }),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...archives),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }),
        fc.nat(),
        async (archive, changes, cut) => {
          const damaged = Uint8Array.from(archive);
          for (const [at, byte] of changes) damaged[at % damaged.length] = byte;
          expect(await refusal(damaged.subarray(0, damaged.length - (cut % 20)))).toMatch(
            /^accepted$|^H20[4-7]$/,
          );
        },
      ),
    );
  });
});
