import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type * as Lean from '@hearth/client/lean.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleClient, type BundledClient } from '../../scripts/package/client.ts';
import { type Begun, lives, type Lived } from '../support/lean-life.ts';
import { StudioStage } from '../support/studio-stage.ts';
import { tempDirectory } from '../support/temp.ts';

/* The client that others take along: how large it is, what is in it, and that it works where they work. */

describe('the client without the validator', { timeout: 180_000 }, () => {
  let stage: StudioStage;
  let client: BundledClient;

  beforeAll(async () => {
    [stage, client] = await Promise.all([StudioStage.start(), bundleClient()]);
  }, 120_000);
  afterAll(() => stage.close());

  it('has less than 8 KiB compressed, and no validator in it', () => {
    expect(gzipSync(client.code, { level: 9 }).length).toBeLessThan(8192);
    expect(client.sources.filter(path => /zod|\bprotocol\//.test(path))).toEqual([]);
    expect(client.sources).toContain('packages/client/stream.ts');
  });

  const wanted: Lived = {
    before: ['question'],
    pauses: ['chat'],
    refused: 'closed',
    unknown: 'unknown_conversation',
    gapless: true,
    recovered: ['cursor_expired', 'epoch_changed'],
    after: 'hello after all',
  };

  const begun = (title: string): Begun => ({ title, scope: { kind: 'workspace', path: stage.hearth.cwd } });

  it('creates, sends, streams, decides and recovers in Node', async () => {
    const path = join(tempDirectory('lean'), 'client.mjs');
    writeFileSync(path, client.code);
    const { LeanClient }: typeof Lean = await import(path);
    const { address } = stage.hearth.service();
    const lean = new LeanClient({ address, token: stage.hearth.token() });
    expect(await lives(lean, begun('In Node'))).toEqual(wanted);
  });

  it('does the same in a page of the service', async () => {
    const page = await stage.studio(await stage.conversation('Signed in'));
    await served(page, '/lean-client.js', client.code);
    const life = `(${lives.toString()})`;
    const program = `import('/lean-client.js').then(({ LeanClient }) =>
      ${life}(new LeanClient({ address: '' }), ${JSON.stringify(begun('In a page'))}))`;
    expect(await page.evaluate(program)).toEqual(wanted);
  });

  it('runs the program of its page in the documents', async () => {
    const text = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
    const [, program = ''] = /^```js talk\.mjs\n([\s\S]*?)^```$/m.exec(text) ?? [];
    const at = tempDirectory('talk');
    writeFileSync(join(at, 'client.js'), client.code);
    writeFileSync(join(at, 'package.json'), '{"type": "module"}');
    writeFileSync(join(at, 'talk.mjs'), program);
    const printed = execFileSync(process.execPath, [join(at, 'talk.mjs')], {
      env: stage.hearth.env,
      encoding: 'utf8',
    });
    expect(printed).toMatch(/^\S[^\n]+\n(?:[\s\S]*\n)?default\n$/);
  });

  async function served(page: Page, path: string, body: string): Promise<void> {
    const { address } = stage.hearth.service();
    await page.route(`${address}${path}`, route => route.fulfill({ contentType: 'text/javascript', body }));
  }
});
