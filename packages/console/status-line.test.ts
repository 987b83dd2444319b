import { visibleWidth } from '@earendil-works/pi-tui';
import { stopped } from '@hearth/client/problem.ts';
import type { Model } from '@hearth/client/view.ts';
import { modelFrom, reduce } from '@hearth/client/view.ts';
import { World } from '@hearth/client/testing/world.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Standing } from './status-line.ts';
import { statusLines } from './status-line.ts';
import { themeFor } from './theme.ts';

const theme = themeFor({ NO_COLOR: '1' });

function standing(world: World, more: Partial<Standing> = {}): Standing {
  return {
    model: modelFrom(world.view(), []),
    backend: { name: 'rehearsal', why: 'no model is configured' },
    workspace: '/home/ada/project',
    home: '/home/ada',
    now: Date.parse('2026-01-01T00:01:05.000Z'),
    hint: null,
    link: null,
    ...more,
  };
}

const line = (what: Standing, width = 200) => statusLines(what, width, theme).join('\n');

describe('the status line', () => {
  it('says that nothing goes on, who answers and where', () => {
    expect(line(standing(new World()))).toBe('idle · Main · rehearsal: no model is configured · ~/project');
  });

  it('says how long a turn has been running, and what is queued', () => {
    const world = new World();
    world.send('one');
    world.send('two');
    expect(line(standing(world))).toMatch(/^working 1 min 5 s, 1 queued · /);
  });

  it('names the watched tickets that are not done, the latest first', () => {
    const watched = ['in_progress', 'done', 'awaiting_input'].map((state, index) => ({
      ticket: `HB-${index + 1}`,
      title: 'Door',
      state,
    }));
    const model = modelFrom({ ...new World().view(), watched }, []);
    expect(line({ ...standing(new World()), model })).toMatch(
      /^idle · watching HB-3 awaiting input, HB-1 in progress · /,
    );
  });

  it('counts what waits for an answer', () => {
    const world = new World();
    world.send('one');
    world.ask();
    expect(line(standing(world))).toMatch(/^waits for your answer · /);
  });

  it.each<[string, (model: Model) => Model]>([
    ['lost', model => reduce(model, { frame: 'link', link: { is: 'lost', why: 'x' } })],
    [
      'reconnecting',
      model => reduce(model, { frame: 'link', link: { is: 'reconnecting', attempt: 1, inMs: 200 } }),
    ],
  ])('says plainly that the connection is %s', (_name, change) => {
    const { model, ...rest } = standing(new World());
    expect(line({ ...rest, model: model === null ? null : change(model) })).toMatch(
      /^connection lost, reconnecting… · /,
    );
  });

  it.each<[string, Model['link'], string]>([
    ['for good', { is: 'lost', why: 'x', final: true }, 'not connected any more · '],
    ['because the service was stopped', { is: 'stopped', why: stopped().detail }, `${stopped().detail} · `],
    ['not at all', { is: 'connected' }, 'idle · '],
  ])('says that the connection is lost %s', (_name, link, begin) => {
    const { model, ...rest } = standing(new World());
    const text = line({ ...rest, model: model === null ? null : reduce(model, { frame: 'link', link }) });
    expect(text.startsWith(begin)).toBe(true);
    expect(text).not.toContain('reconnecting');
  });

  it('names the session’s own backend when that is another one', () => {
    const world = new World();
    world.send('one');
    expect(line(standing(world, { backend: { name: 'model_api', why: 'a key is set' } }))).toContain(
      '· rehearsal ·',
    );
  });

  it('says all of what is wrong, to what can be done about it, where a long path stands before that', () => {
    const { model, ...rest } = standing(new World());
    const detail = `The disk is full, so "/home/ada/.hearth/${'long/'.repeat(30)}journal.jsonl" could not be written; free some space and try again.`;
    const trouble = { code: 'disk_full', detail };
    const rows = statusLines({ ...rest, model: model === null ? null : { ...model, trouble } }, 80, theme);
    expect(rows.join(' ')).toContain('free some space and try again.');
  });

  it('shortens only what lies in the home directory', () => {
    expect(line(standing(new World(), { workspace: '/home/adam/project' }))).toContain(
      '· /home/adam/project',
    );
  });

  it('keeps every part on a narrow screen', () => {
    const rows = statusLines(standing(new World()), 40, theme);
    expect(rows).toEqual(['idle · Main', 'rehearsal: no model is configured', '~/project']);
    const narrow = statusLines(standing(new World()), 20, theme);
    expect(narrow).toEqual(['idle · Main', 'rehearsal: no model', 'is configured', '~/project']);
  });

  it('fits every width', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.string({ unit: 'grapheme' }), (width, words) => {
        const world = new World();
        world.rename(words);
        for (const row of statusLines(standing(world, { hint: words, workspace: words }), width, theme)) {
          expect(visibleWidth(row)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});
