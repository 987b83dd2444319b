import { chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STANDARD_RETENTION } from '@hearth/conversations/retention-report.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { describe, expect, it } from 'vitest';
import { readSettings, retentionOf } from './settings.ts';

function homeWith(text: string): string {
  const home = mkdtempSync(join(tmpdir(), 'hearth-settings-'));
  writeFileSync(join(home, 'settings.json'), text);
  return home;
}

describe('settings', () => {
  it('are the standard ones where there is no file, and for all that is left out', async () => {
    const none = mkdtempSync(join(tmpdir(), 'hearth-settings-'));
    for (const home of [none, homeWith('{}'), homeWith('{"retention": {}}')])
      expect(retentionOf(await readSettings(nodeDisk, home))).toEqual(STANDARD_RETENTION);
  });

  it('say what is kept', async () => {
    const home = homeWith('{"retention": {"conversations": 8, "mebibytes": 0.5, "trashDays": 1}}');
    expect(retentionOf(await readSettings(nodeDisk, home))).toEqual({
      limits: { conversations: 8, days: 30, bytes: 512 * 1024 },
      trash: { days: 1, bytes: 256 * 1024 * 1024 },
    });
  });

  it.each([
    ['{"retention": {"days": "many"}}', /retention\.days/],
    ['{"retention": {"days": -1}}', /retention\.days/],
    ['{"retention": {"conversations": 1.5}}', /retention\.conversations/],
    ['{"retension": {}}', /has fields that nobody knows: retension/],
    ['{"retention"', /not JSON/],
    ['[]', /object/],
  ])('that read %s are refused with what is wrong, where, and what to do', async (text, what) => {
    const home = homeWith(text);
    const refused = readSettings(nodeDisk, home);
    await expect(refused).rejects.toMatchObject({ code: 'settings_invalid' });
    await expect(refused).rejects.toThrow(what);
    await expect(refused).rejects.toThrow(join(home, 'settings.json'));
    await expect(refused).rejects.toThrow(/move the file away/);
  });

  it('are for their owner alone once they were read', async () => {
    const home = homeWith('{}');
    chmodSync(join(home, 'settings.json'), 0o644);
    await readSettings(nodeDisk, home);
    expect(statSync(join(home, 'settings.json')).mode & 0o777).toBe(0o600);
  });
});
