import { Attachment } from '@hearth/client/attachment.ts';
import { TestService } from '@hearth/client/testing/service.ts';
import { CONVERSATION } from '@hearth/client/testing/world.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keeping } from './keeping.ts';

/* The commands that name, keep and end conversations, over real HTTP. */

let service: TestService;
let attachment: Attachment;
let keeping: Keeping;
let told: string[];
let gone: string[];
const inside = `/conversations/${CONVERSATION}`;
const sent = (path: string) => service.received.filter(one => one.path === path);

beforeEach(async () => {
  service = await TestService.start();
  service.world.send('');
  service.world.reply('Hello.');
  [told, gone] = [[], []];
  attachment = new Attachment({
    client: service.client(),
    onChange: () => {},
    onReachable: () => {},
    onGone: problem => gone.push(problem.code),
    onArrived: () => {},
  });
  keeping = new Keeping({
    attachment,
    tell: (_severity, text) => told.push(text),
    botNamed: text => `/here/${text}`,
  });
  await attachment.open(null);
});
afterEach(async () => {
  attachment.close();
  await service.stop();
});

const refusal = (code: string) => ({
  status: 409,
  body: { type: 'x', title: 'x', status: 409, code, detail: `It is ${code}.` },
});

describe('a command', () => {
  it('renames the open conversation, and asks for a title that is missing', async () => {
    await keeping.rename('Better');
    expect(sent(inside)).toMatchObject([{ method: 'PATCH', body: { title: 'Better' } }]);
    await expect(keeping.rename('')).rejects.toThrow('/rename takes the new title.');
    expect(sent(inside)).toHaveLength(1);
  });

  it('gives the open conversation another bot, and asks for one that is missing', async () => {
    await keeping.bot('mine.bot');
    expect(sent(inside)).toMatchObject([{ method: 'PATCH', body: { bot: '/here/mine.bot' } }]);
    expect(told).toHaveLength(1);
    await expect(keeping.bot('')).rejects.toThrow('/bot takes the name of a bot');
    expect(sent(inside)).toHaveLength(1);
  });

  it('pins, and says so', async () => {
    await keeping.pin();
    expect(sent(inside)).toMatchObject([{ body: { pinned: true } }]);
    expect(told).toHaveLength(1);
  });

  it('lists what was allowed or denied for good, and takes back the one of a number', async () => {
    await keeping.rules('');
    expect(told).toEqual(['Nothing is allowed or denied for good here.']);
    while (service.streams === 0) await new Promise(resolve => setImmediate(resolve));
    const at = { v: 1, at: '2026-01-01T00:00:00.000Z', type: 'rule', change: 'kept' } as const;
    const by = { kind: 'person', name: 'ada', surface: 'cli' } as const;
    let seq = Number(service.world.head.split('.')[1]);
    for (const [rule, grant] of [
      ['Bash(npm test:*)', 'always'],
      ['Write(*)', 'deny'],
    ] as const) {
      seq += 1;
      service.publish({ frame: 'event', cursor: `1.${seq}.abcdef`, event: { ...at, seq, rule, grant, by } });
    }
    while (attachment.model?.now.rules.length !== 2) await new Promise(resolve => setImmediate(resolve));
    await keeping.rules('');
    expect(told.at(-1)).toMatch(/^1\. allowed: Bash\(npm test:\*\)\n2\. denied: Write\(\*\)\n.*\/rules/);
    await expect(keeping.rules('3')).rejects.toThrow('There is no rule 3');
    await keeping.rules('2');
    expect(sent(`${inside}/rules/revoke`)).toMatchObject([{ body: { rule: 'Write(*)' } }]);
  });

  it('resets and opens what has begun anew', async () => {
    await keeping.reset();
    expect(sent(`${inside}/reset`)).toHaveLength(1);
    expect(attachment.model?.id).toBe(CONVERSATION);
  });

  it('closes, goes to the default conversation, and is not told that the closed one is gone', async () => {
    await keeping.close();
    expect(sent(`${inside}/close`)).toHaveLength(1);
    expect(told).toEqual([expect.stringContaining('/restore brings it back')]);
    expect(gone).toEqual([]);
    expect(attachment.model?.id).toBe(CONVERSATION);
  });

  it('that is refused leaves the conversation open and followed', async () => {
    service.refuse = ({ path }) => (path.endsWith('/close') ? refusal('active') : null);
    await expect(keeping.close()).rejects.toMatchObject({ code: 'active' });
    while (service.streams === 0) await new Promise(resolve => setImmediate(resolve));
    service.world.send('Still here.');
    while (!JSON.stringify(attachment.model?.items).includes('Still here.'))
      await new Promise(resolve => setImmediate(resolve));
  });

  it('restores the one named, else the latest of the trash, else says that it is empty', async () => {
    const entry = (name: string) => ({
      name,
      conversation: CONVERSATION,
      title: 'Old',
      bot: 'hello',
      scope: { kind: 'global' },
      at: '2026-01-01T00:00:00.000Z',
      by: { kind: 'person', name: 'ada', surface: 'cli' },
      why: null,
      until: '2026-01-08T00:00:00.000Z',
      bytes: 1,
    });
    let trash = [entry('latest'), entry('older')];
    service.refuse = ({ path, method }) =>
      path === '/trash' && method === 'GET' ? { status: 200, body: { trash } } : null;
    await keeping.restore('');
    await keeping.restore('older');
    expect(service.received.map(one => one.path)).toEqual(['/trash/latest/restore', '/trash/older/restore']);
    trash = [];
    await keeping.restore('');
    expect(told).toEqual(['The trash is empty.']);
  });
});
