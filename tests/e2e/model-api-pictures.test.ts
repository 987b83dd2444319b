import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttachedFile } from '@hearth/engine/attached-files.ts';
import type { BackendEvent } from '@hearth/engine/backend.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { calls, FakeProvider, type Move, replies, status } from '../support/fake-provider.ts';
import { ModelStage } from '../support/model-stage.ts';
import { makeProject } from '../support/project.ts';
import { clientOf } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* Pictures that a person hands over, as a model is shown them, or told why not. */

const open: FakeProvider[] = [];
let service: Service | null = null;

async function fake(...moves: readonly Move[]): Promise<FakeProvider> {
  const provider = await FakeProvider.start(...moves);
  open.push(provider);
  return provider;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(provider => provider.close()));
  await service?.stop();
  service = null;
  removeTemps();
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40, 7)]);

/** A disk on which files lie, and the files as a turn names them. */
async function handed(contents: Readonly<Record<string, Uint8Array>>, mime = 'image/png') {
  const disk = new SimDisk();
  await disk.makeDirectory('/files');
  const files: AttachedFile[] = [];
  for (const [name, bytes] of Object.entries(contents)) {
    await disk.write(`/files/${name}`, bytes);
    files.push({ blob: `sha256:${'0'.repeat(64)}`, bytes: bytes.length, name, mime, path: `/files/${name}` });
  }
  return { disk, files };
}

const asking = (attachments: readonly AttachedFile[]) => ({
  prompt: { system: 'You look.', user: 'What is this?', attachments },
});
const told = (events: readonly BackendEvent[]) =>
  events.flatMap(event => (event.type === 'narration' ? [event.text] : []));

describe.each([
  ['anthropic', '"media_type":"image/png"'],
  ['openai', '"type":"input_image"'],
  ['compatible', '"type":"image_url"'],
] as const)('on %s', (name, part) => {
  test('a picture is sent with its words, in later turns too, and what it is by its own bytes', async () => {
    const provider = await fake(replies('A dot.'), replies('As I said.'));
    const { disk, files } = await handed({ 'dot.png': PNG, 'other.png': JPEG });
    const stage = new ModelStage(provider.env(name), { disk, clock: new SimClock() });
    const model = { model: name === 'compatible' ? 'compatible/fake' : 'auto', provider: null, effort: null };
    const events = await stage.say('', { ...asking(files), model });
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'A dot.' });
    expect(told(events)).toEqual([]);
    await stage.say('And now?', { model });
    for (const { text } of provider.requests) {
      expect(text).toContain(part);
      expect(text).toContain(PNG.toString('base64'));
      expect(text).toContain('image/jpeg');
      expect(text).toContain(JPEG.toString('base64'));
    }
  });
});

test.each<[string, Uint8Array, RegExp]>([
  ['too large', Buffer.concat([PNG, Buffer.alloc(4_000_000)]), /larger than 3.75 MB/],
  ['of another kind', Buffer.from('<svg/>'), /no PNG, JPEG, GIF or WebP/],
  ['empty', Buffer.alloc(0), /no PNG, JPEG, GIF or WebP/],
])('one that is %s is not sent; model and person are told', async (_, bytes, why) => {
  const look = calls([{ name: 'list_issues', args: {} }]);
  const provider = await fake(look, replies('I see nothing.'), replies('Still not.'));
  const { disk, files } = await handed({ 'photo.png': bytes });
  const stage = new ModelStage(provider.env('anthropic'), { disk, clock: new SimClock() });
  const events = await stage.say('', asking(files));
  expect(told(events)).toEqual([expect.stringMatching(/^The picture photo.png is not shown to the model: /)]);
  expect(told(events)[0]).toMatch(why);
  expect(provider.requests[0]?.text).toMatch(/\[hearth\] The picture photo.png is not shown to you: /);
  expect(provider.requests[0]?.text).not.toContain('media_type');
  // The person is told once.
  expect(told(await stage.say('And now?'))).toEqual([]);
});

test('of many pictures the latest twenty are sent, and of a file that is gone it is said', async () => {
  const provider = await fake(replies('Many.'), replies('One less.'));
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}.png`, PNG]));
  const { disk, files } = await handed(many);
  const stage = new ModelStage(provider.env('anthropic'), { disk, clock: new SimClock() });
  await stage.say('', asking(files));
  const [first] = provider.requests;
  expect(first?.text.match(/"media_type"/g)).toHaveLength(20);
  expect(first?.text).toContain('p4.png is not shown to you: later pictures');
  await disk.remove('/files/p24.png');
  await stage.say('And now?');
  expect(provider.requests[1]?.text).toContain('p24.png is not shown to you: its file is gone');
});

test('a picture that comes with a message in the middle of a turn is shown at the next step', async () => {
  const provider = await fake(calls([{ name: 'list_issues', args: {} }]), replies('A dot.'));
  const { disk, files } = await handed({ 'dot.png': PNG });
  const stage = new ModelStage(provider.env('anthropic'), { disk, clock: new SimClock() });
  const run = stage.start(stage.turn('hello'));
  stage.tool = () => {
    run.offer({ id: 'm7', text: 'Look at this', files });
    return { content: [] };
  };
  await stage.play(run);
  expect(provider.requests[0]?.text).not.toContain('media_type');
  expect(provider.requests[1]?.text).toContain(PNG.toString('base64'));
});

describe('a model that takes none', () => {
  const compatible = { model: { model: 'compatible/fake', provider: null, effort: null } };

  test('is asked again without, once, and the person is told; later turns know it', async () => {
    const provider = await fake(
      status(400, {}, 'fake does not support image input'),
      replies('I am blind.'),
      replies('Still.'),
    );
    const { disk, files } = await handed({ 'dot.png': PNG });
    const stage = new ModelStage(provider.env('compatible'), { disk, clock: new SimClock() });
    const events = await stage.say('', { ...asking(files), ...compatible });
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'I am blind.' });
    expect(told(events)).toEqual(['The picture dot.png is not shown to the model: fake takes no pictures.']);
    expect(provider.requests.map(({ text }) => text.includes('image_url'))).toEqual([true, false]);
    await stage.say('And now?', compatible);
    expect(provider.requests).toHaveLength(3);
    expect(provider.requests[2]?.text).not.toContain('image_url');
  });

  test('one picture that is refused says nothing of the next turn, and a refusal for another reason is one', async () => {
    const provider = await fake(
      status(400, {}, 'Could not process image'),
      replies('Without.'),
      replies('With.'),
      status(400, {}, 'tools.0: name is wrong'),
    );
    const { disk, files } = await handed({ 'dot.png': PNG });
    const stage = new ModelStage(provider.env('compatible'), { disk, clock: new SimClock() });
    await stage.say('', { ...asking(files), ...compatible });
    await stage.say('And now?', compatible);
    expect(provider.requests.map(({ text }) => text.includes('image_url'))).toEqual([true, false, true]);
    expect((await stage.say('More', compatible)).at(-1)).toMatchObject({ type: 'failed', code: 'protocol' });
    expect(provider.requests).toHaveLength(4);
  });

  test('on Ollama is known beforehand, by what it shows of the model', async () => {
    const provider = await fake(replies('I am blind.'), replies('A dot.'));
    const { disk, files } = await handed({ 'dot.png': PNG });
    const stage = new ModelStage(provider.env('ollama'), { disk, clock: new SimClock() });
    expect(told(await stage.say('', asking(files)))).toHaveLength(1);
    provider.facts = { capabilities: ['completion', 'vision'] };
    await stage.say('And now?');
    expect(provider.requests.map(({ text }) => text.includes('image_url'))).toEqual([false, true]);
  });
});

test('in the service, a picture of a message is shown, and so is one that is steered into the turn', async () => {
  const gate = Promise.withResolvers<void>();
  const provider = await fake(
    calls([{ name: 'list_issues', args: {} }], 'I look.', { hold: gate.promise }),
    replies('Two dots.'),
  );
  const home = tempDirectory('pictures-home');
  const workspace = makeProject();
  service = await startService({ home, env: provider.env('anthropic', 'sk-fake') });
  const client = clientOf(service.address, readFileSync(join(home, 'token'), 'utf8').trim());
  const { id } = await client.default();
  const picture = async (name: string, bytes: Uint8Array) =>
    await client.upload(id, { name, bytes: Uint8Array.from(bytes) });
  const first = await picture('dot.png', PNG);
  await client.send(id, { text: 'what is this?', delivery: 'queue', workspace, attachments: [first] });
  await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(1);
  const second = await picture('other.jpg', JPEG);
  await client.send(id, { text: 'and this?', delivery: 'steer', workspace, attachments: [second] });
  gate.resolve();
  await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(2);
  const [before, after] = provider.requests.map(({ text }) => text);
  expect(before).toContain(PNG.toString('base64'));
  expect(before).not.toContain(JPEG.toString('base64'));
  for (const bytes of [PNG, JPEG]) expect(after).toContain(bytes.toString('base64'));
  await expect
    .poll(async () => (await client.get(id)).turn?.status ?? 'over', { timeout: 20_000 })
    .toBe('over');
});
