import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Rehearsal } from '@hearth/backends/rehearsal/backend.ts';
import { typed } from '@hearth/cli/testing/typed.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { TurnReport } from '@hearth/protocol/turn-report.ts';
import { endAll, newHome, type Served, serve } from '@hearth/service/testing/served.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* `hearth run confirm-first` and the commands behind it, as a script types them, with nobody at a console. */

let served: Served;
let directory: string;
beforeAll(async () => {
  served = await serve([], { backends: [new Rehearsal({ disk: nodeDisk, ids: systemIds })] });
  directory = newHome();
});
afterAll(endAll);

function hearth(...words: string[]): ReturnType<typeof typed> {
  return typed(words, directory, '', { ...process.env, HEARTH_HOME: served.home });
}

/** Runs a request; the report and the exit code. */
async function run(request: string, ...options: string[]): Promise<TurnReport & { readonly code: number }> {
  const file = join(directory, 'request.txt');
  writeFileSync(file, request);
  const { code, out } = await hearth('run', 'confirm-first', '--request', file, '--json', ...options);
  return { ...TurnReport.parse(JSON.parse(out)), code };
}

async function decide(card: string, ...words: string[]): Promise<TurnReport & { readonly code: number }> {
  const { code, out } = await hearth('decide', card, '--json', ...words);
  return { ...TurnReport.parse(JSON.parse(out)), code };
}

describe('without a person', () => {
  test('#77 the run ends at the gate with exit code 2, and a script can decide on from there', async () => {
    const begun = await run('Compare three routers\nunder 100 EUR\n');
    expect(begun).toMatchObject({ code: EXIT.gate, state: 'waiting', reply: '' });
    const [card] = begun.cards;
    expect(card).toMatchObject({ artifact: 'interpretation', version: 1, title: 'Prompt Pseudocode' });
    expect(card?.body).toBe('DO what the person asked for\n    "Compare three routers"\n    "under 100 EUR"');
    const at = (report: TurnReport): string => `${report.conversation}/${report.cards[0]?.id}`;
    const planned = await decide(at(begun), '--action', 'confirm', '--version', '1');
    expect(planned).toMatchObject({ code: EXIT.gate, cards: [{ artifact: 'approach', version: 1 }] });
    const revised = await decide(
      at(planned),
      '--action',
      'revise',
      '--version',
      '1',
      '--feedback',
      'no scores',
    );
    expect(revised).toMatchObject({ code: EXIT.gate, cards: [{ artifact: 'approach', version: 2 }] });
    const stale = await hearth(
      'decide',
      at(revised),
      '--action',
      'confirm_standard',
      '--version',
      '1',
      '--json',
    );
    expect([stale.code, stale.err]).toEqual([
      EXIT.failed,
      expect.stringContaining('approach is at version 2'),
    ]);
    const done = await decide(at(revised), '--action', 'confirm_pseudocode', '--version', '2');
    expect(done).toMatchObject({ code: EXIT.done, state: 'settled' });
    expect(done.reply).toMatch(/^STATE that .*\n[\s\S]*Response Plan Pseudocode version 2, pseudocode\)$/);

    const { out } = await hearth('audit', begun.conversation);
    expect(out).toMatch(
      /accepted .* confirm +interpretation@1 [\s\S]*revise +approach@1 [\s\S]*confirm_pseudocode +approach@2 /,
    );
    expect(out).toMatch(/stale_version/);
    expect(out).not.toContain('routers');
  });

  test('a standing confirmation goes through to the result, and says what it confirmed', async () => {
    const done = await run('Compare three routers', '--standing-confirmation');
    expect(done).toMatchObject({ code: EXIT.done, state: 'settled' });
    expect(done.reply).toContain('"Compare three routers"');
  });

  test('#54 asks for data with exit code 3, and goes on with the answer', async () => {
    const asked = await run("Work it out, I'll give you the figures later", '--standing-confirmation');
    expect(asked).toMatchObject({ code: EXIT.waiting, state: 'waiting', questions: [{ kind: 'input' }] });
    const question = `${asked.conversation}/${asked.questions[0]?.id}`;
    const { code, out } = await hearth('answer', question, '--fields', '{"data":"80 and 35"}', '--json');
    expect(code).toBe(EXIT.done);
    expect(TurnReport.parse(JSON.parse(out)).reply).toContain('80 and 35');
  });

  test('a request that is answered and not carried out is done', async () => {
    expect(await run('hello')).toMatchObject({ code: EXIT.done, state: 'settled', cards: [] });
  });
});
