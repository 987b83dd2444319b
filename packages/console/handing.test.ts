import { until } from '@hearth/client/testing/service.ts';
import { describe, expect, it } from 'vitest';
import type { FileRead } from './handing.ts';
import { ConsoleStage } from './testing/stage.ts';

/* Files that go with the next message from the console. */

const stage = new ConsoleStage();

const digestOf = (name: string): string => `sha256:${String(name.length % 10).repeat(64)}`;

/** A console on a service that keeps what is uploaded, and where two files can be read. */
function opened() {
  stage.greeted();
  const uploaded: string[] = [];
  stage.service.refuse = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/blobs')) return null;
    const name = uploading;
    uploaded.push(name);
    return { status: 200, body: { blob: digestOf(name), bytes: 5, name, mime: 'text/plain' } };
  };
  let uploading = '';
  const readFile = (given: string): Promise<FileRead> => {
    const [as, name] = given.includes('=') ? given.split('=') : [null, given];
    if (name === 'gone.txt') return Promise.reject(new Error('There is no file "gone.txt" to attach.'));
    uploading = name ?? '';
    return Promise.resolve({ name: uploading, as: as ?? null, bytes: new Uint8Array(5) });
  };
  return { ...stage.start({ readFile }), uploaded };
}

const attachments = () => stage.commands('/messages').map(({ body }) => body['attachments']);
const file = (name: string) => ({ blob: digestOf(name), bytes: 5, name, mime: 'text/plain' });

describe('/attach', () => {
  it('has files go with the next message and with no other, and says so at the composer', async () => {
    const { terminal, uploaded } = opened();
    await terminal.shows('idle');
    terminal.press('/attach two  words.txt', '<enter>');
    await terminal.shows('words.txt (5 bytes)', 'It goes with your next message');
    terminal.press('/attach plan=plan.md', '<enter>');
    await terminal.shows('words.txt (5 bytes), plan.md (5 bytes)');
    expect(uploaded).toEqual(['two  words.txt', 'plan.md']);
    terminal.press('look', '<enter>');
    await until(() => attachments().length === 1);
    expect(attachments()[0]).toEqual([file('two  words.txt'), { ...file('plan.md'), as: 'plan' }]);
    await terminal.hides('── Attached');
    terminal.press('again', '<enter>');
    await until(() => attachments().length === 2);
    expect(attachments()[1]).toBeUndefined();
  });

  it('lists them, and /detach leaves one out', async () => {
    const { terminal } = opened();
    await terminal.shows('idle');
    terminal.press('/attach', '<enter>');
    await terminal.shows('No file is attached');
    terminal.press('/attach one.txt', '<enter>');
    await terminal.shows('── Attached: one.txt');
    terminal.press('/attach three.txt', '<enter>');
    await terminal.shows('one.txt (5 bytes), three.txt');
    terminal.press('/detach 3', '<enter>');
    await terminal.shows('There is no file 3 attached');
    terminal.press('/detach 1', '<enter>');
    await terminal.shows('── Attached: three.txt (5 bytes) ─');
    terminal.press('/detach', '<enter>');
    await terminal.hides('── Attached');
  });

  it('waits for a file that was named before the words', async () => {
    const { terminal } = opened();
    await terminal.shows('idle');
    terminal.press('/attach one.txt', '<enter>', 'look', '<enter>');
    await until(() => attachments().length === 1);
    expect(attachments()[0]).toEqual([file('one.txt')]);
  });

  it('says why a file cannot be attached, and sends none', async () => {
    const { terminal } = opened();
    await terminal.shows('idle');
    terminal.press('/attach gone.txt', '<enter>');
    await terminal.shows('There is no file "gone.txt" to attach.');
    terminal.press('hello', '<enter>');
    await until(() => attachments().length === 1);
    expect(attachments()[0]).toBeUndefined();
  });

  it('keeps the files of a message that was not taken for when it is sent again', async () => {
    const { terminal } = opened();
    await terminal.shows('idle');
    terminal.press('/attach one.txt', '<enter>');
    await terminal.shows('── Attached: one.txt');
    const { refuse } = stage.service;
    stage.service.refuse = request =>
      request.path.endsWith('/messages')
        ? { status: 409, body: { type: 'x', title: 'x', status: 409, code: 'active', detail: 'Not now.' } }
        : refuse(request);
    terminal.press('look', '<enter>');
    await terminal.shows('That was not sent: Not now.', '── Attached: one.txt');
    stage.service.refuse = refuse;
    terminal.press('<enter>');
    await until(() => attachments().length === 1);
    expect(attachments()[0]).toEqual([file('one.txt')]);
  });
});
