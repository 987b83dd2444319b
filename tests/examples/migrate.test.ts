import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { done } from '@hearth/backends/testing/scripted/step.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import { endAll, type Served, serve } from '@hearth/service/testing/served.ts';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';

/*
 * The example of `docs/approve.md`: a migration that a person must approve, through a real service, with a real database
 * and the files of a workspace.
 */

const BOT = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'migrate');
const FIRST = "CREATE TABLE plants (name TEXT);\nINSERT INTO plants VALUES ('fern');";
const SECOND = 'CREATE TABLE plants (name TEXT NOT NULL);';

let served: Served;
let workspace: string;
let c: ConversationId;

beforeAll(async () => {
  served = await serve(({ prompt }) => [
    done({
      migration_body: prompt.user.includes('NOT NULL please')
        ? SECOND
        : prompt.user.includes('no SQL')
          ? 'CREATE TABLE cut;\nDO that'
          : FIRST,
    }),
  ]);
});
afterAll(endAll);

beforeEach(async () => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-migrate-')));
  c = (await served.client.create({ bot: BOT, title: 'Migrate' })).view.id;
  await served.client.send(c, { text: 'a table of plants', delivery: 'queue', workspace });
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

/** The card, once it shows that version. */
async function card(version: number): Promise<CardPause> {
  const shown = (pause: { kind: string }): pause is CardPause =>
    pause.kind === 'card' && 'shown' in pause && (pause as CardPause).status === 'shown';
  const { pauses } = await served.until(c, view =>
    view.pauses.some(one => shown(one) && one.shown.version === version),
  );
  const found = pauses.find(shown);
  if (found === undefined) throw new Error('there is no card');
  return found;
}

function act({ id, shown }: CardPause, action: string, feedback?: string): Promise<Reply> {
  const words = feedback === undefined ? {} : { feedback };
  return served.client.decide(
    c,
    id,
    { do: 'act', action, ...words },
    { artifact: shown.artifact, version: shown.version },
  );
}

/** What the bot said last, once it is home. */
async function said(): Promise<string> {
  await served.until(c, view => view.pauses.some(one => one.kind === 'chat'));
  const { items } = await served.client.history(c, null, 50);
  return (
    items
      .flatMap(line => (line.is === 'replied' && typeof line.text === 'string' ? [line.text] : []))
      .at(-1) ?? ''
  );
}

function tables(): readonly string[] {
  const database = new DatabaseSync(join(workspace, 'app.db'));
  try {
    return database
      .prepare('SELECT sql FROM sqlite_master')
      .all()
      .map(row => String(row['sql']));
  } finally {
    database.close();
  }
}

describe('the migration', () => {
  test('is a file while it is under review, and runs when it is applied', async () => {
    const shown = await card(1);
    expect(shown.actions.map(({ label }) => label)).toEqual(['Apply', 'Revise', 'Abort']);
    expect(readFileSync(join(workspace, 'migration.sql'), 'utf8')).toBe(FIRST);
    await act(shown, 'apply');
    expect(await said()).toBe('Applied migration.sql.');
    expect(tables()).toEqual(['CREATE TABLE plants (name TEXT)']);
  });

  test('is revised whole, and what is applied is the new one', async () => {
    await act(await card(1), 'revise', 'NOT NULL please');
    const shown = await card(2);
    expect(readFileSync(join(workspace, 'migration.sql'), 'utf8')).toBe(SECOND);
    await act(shown, 'apply');
    expect(await said()).toBe('Applied migration.sql.');
    expect(tables()).toEqual(['CREATE TABLE plants (name TEXT NOT NULL)']);
  });

  test('touches nothing when it is aborted', async () => {
    await act(await card(1), 'abort');
    expect(await said()).toBe('Aborted. The database is as it was.');
    expect(tables()).toEqual([]);
  });

  test('does not run when its file was changed after it was shown', async () => {
    const shown = await card(1);
    appendFileSync(join(workspace, 'migration.sql'), '\nDROP TABLE plants;');
    await act(shown, 'apply');
    expect(await said()).toMatch(/^Not applied\. .*migration\.sql is not the file that was confirmed\.$/);
    expect(tables()).toEqual([]);
  });

  test('that the database refuses changes nothing, and says why in one line', async () => {
    await act(await card(1), 'revise', 'no SQL');
    await act(await card(2), 'apply');
    expect(await said()).toMatch(/^Not applied\. [^\n]*The database says: [^\n]*\.$/);
    expect(tables()).toEqual([]);
  });

  test('is confirmed in the version that was on the screen, or not at all', async () => {
    const old = await card(1);
    await act(old, 'revise', 'NOT NULL please');
    await card(2);
    await expect(act(old, 'apply')).rejects.toMatchObject({ code: 'stale_version' });
    expect(tables()).toEqual([]);
  });
});
