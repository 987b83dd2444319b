import { visibleWidth } from '@earendil-works/pi-tui';
import type { Pause } from '@hearth/protocol/pause.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Choices } from './choices.ts';
import type { Pressed } from './keys.ts';
import { themeFor } from './theme.ts';

const theme = themeFor({ NO_COLOR: '1' });
const base = {
  id: 'p1',
  run: 'r1',
  turn: 't1',
  node: 'n',
  branch: null,
  openedAt: '',
  text: 'Sure?',
} as const;
const yes = { id: 'yes', label: 'Yes', detail: 'close it' };
const no = { id: 'no', label: 'No' };

const question = (shape: Partial<Extract<Pause, { kind: 'question' }>> = {}): Pause => ({
  ...base,
  kind: 'question',
  asker: 'agent',
  blocking: true,
  options: [yes, no],
  allowFreeText: false,
  ...shape,
});
const digest = `sha256:${'0'.repeat(64)}` as const;
const recovery: Pause = {
  ...base,
  kind: 'recovery',
  cause: 'failed',
  code: 'x',
  detail: '',
  choices: [{ id: 'again', label: 'Again' }],
  unseen: [],
};
const action = {
  name: 'confirm',
  label: 'Confirm',
  needs: 'nothing',
  confirms: true,
  enabled: true,
  button: true,
} as const;
const card: Pause = {
  ...base,
  kind: 'card',
  status: 'shown',
  shown: { artifact: 'plan', version: 2, digest },
  actions: [
    action,
    { ...action, name: 'revise', label: 'Revise', needs: 'feedback', confirms: false },
    {
      ...action,
      name: 'stop',
      label: 'Stop',
      confirms: false,
      stops: true,
      enabled: false,
      why: 'being redrafted',
    },
    { ...action, name: 'later', label: 'Later', button: false },
  ],
  from: [],
  findings: [],
  earlier: [1],
};

function list(pause: Pause): Choices {
  const choices = new Choices(theme);
  choices.show(pause, 0);
  return choices;
}

describe('the list', () => {
  it.each<[string, Pressed[], string | null]>([
    ['Enter alone', ['enter'], null],
    ['Enter, held down', ['enter', 'enter', 'enter', 'enter'], null],
    ['a number alone', [2], null],
    ['a number and Enter', [2, 'enter'], 'no'],
    ['arrows and Enter', ['down', 'enter'], 'no'],
    ['arrows around the end', ['down', 'down', 'enter'], 'yes'],
    ['arrows upwards', ['up', 'enter'], 'no'],
    ['a number that is not there', [7, 'enter'], null],
  ])('by %s chooses %s', (_name, keys, option) => {
    const choices = list(question());
    const ways = keys.map(key => choices.press(key));
    const chosen = ways.flatMap(way =>
      way?.is === 'act' && way.act.do === 'answer' ? [way.act.option] : [],
    );
    expect(chosen).toEqual(option === null ? [] : [option]);
  });

  it('decides nothing without Enter, whatever else is pressed', () => {
    const keys = fc.array(fc.oneof(fc.constantFrom<Pressed>('up', 'down'), fc.integer({ min: 1, max: 9 })));
    fc.assert(
      fc.property(keys, pressed =>
        pressed.map(key => list(question()).press(key)).every(way => way === null),
      ),
    );
  });

  it('forgets where it was when another pause takes its place', () => {
    const choices = list(question());
    choices.press(1);
    choices.show({ ...question({ options: [no, yes] }), id: 'p2' }, 0);
    expect(choices.press('enter')).toBeNull();
  });

  it('keeps its place when the same pause is told again', () => {
    const choices = list(question());
    choices.press(2);
    choices.show(question(), 3);
    expect(choices.press('enter')).toMatchObject({ act: { option: 'no' } });
  });

  it('forgets where it was when the shown version changes under it', () => {
    const choices = list(card);
    choices.press(1);
    choices.show({ ...card, shown: { artifact: 'plan', version: 3, digest } } as Pause, 0);
    expect(choices.press('enter')).toBeNull();
  });

  it('takes nothing while a decision is on its way', () => {
    const choices = list(question());
    choices.press(1);
    choices.setBusy(true);
    expect(choices.press('enter')).toBeNull();
    expect(choices.render(60).join('\n')).toContain('Sending your answer');
  });

  it('does not choose what is not possible now, and says why', () => {
    const choices = list(card);
    expect(choices.render(60).join('\n')).toContain('3 Stop (not now)');
    choices.press(3);
    expect(choices.render(60).join('\n')).toContain('being redrafted');
    expect(choices.press('enter')).toBeNull();
  });

  it('says what becomes of a message typed now', () => {
    expect(list(question()).render(90).join('\n')).toContain('waits until this is answered');
    expect(
      list(question({ blocking: false }))
        .render(90)
        .join('\n'),
    ).toContain('goes on its way');
    const interrupted = { ...recovery, cause: 'interrupted' } as Pause;
    expect(list(interrupted).render(120).join('\n')).toContain('takes the work up again');
  });

  it('shows all rows of a long list as one moves through it, and fits any width', () => {
    const options = Array.from({ length: 20 }, (_, i) => ({
      id: `o${i}`,
      label: `Option ${i} ${'漢'.repeat(30)}`,
    }));
    const choices = new Choices(theme, () => 8);
    choices.show(question({ options }), 0);
    for (let i = 0; i < 20; i++) {
      expect(choices.render(40).join('\n')).toContain(`Option ${i} `);
      expect(choices.render(40).length).toBeLessThanOrEqual(8);
      for (const width of [3, 20, 40]) {
        for (const line of choices.render(width)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
      }
      choices.press('down');
    }
  });

  it('shows as many rows as fit a low screen, and says which one of how many this is', () => {
    const options = [
      'Yes, all three of them: HB-1, HB-2, HB-3',
      'Only HB-1, which is the oldest of them',
      'No',
    ].map((label, i) => ({ id: `o${i}`, label, detail: `close HB-1; close HB-2; and this is number ${i}` }));
    // 40 columns and 15 rows, of which the list may take half.
    const choices = new Choices(theme, () => 7);
    choices.show(question({ options }), 0);
    expect(choices.render(40)).toEqual([
      'Answer p1',
      '› 1 Yes, all three of them: HB-1, HB-2,',
      '    HB-3',
      '    close HB-1; close HB-2; and this is…',
      '  2 Only HB-1, which is the oldest of…',
      '  3 No',
      'Number or arrows, then Enter.',
    ]);
    // Whoever moves reads all of the row that Enter would take.
    choices.press('down');
    const lines = choices.render(40);
    expect(lines[0]).toBe('Answer p1 (2/3)');
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(
      'oldest of them close HB-1; close HB-2; and this is number 1',
    );
    expect(lines.length).toBeLessThanOrEqual(7);
  });

  it('tells from when another attempt makes sense, and takes one at any time', () => {
    const choices = new Choices(
      theme,
      () => 20,
      () => 0,
    );
    choices.show({ ...recovery, retryAt: '1970-01-01T00:00:30.000Z' } as Pause, 0);
    expect(choices.render(60)).toContain('You can try again in 30 s.');
    choices.press(1);
    expect(choices.press('enter')).toMatchObject({ act: { option: 'again' } });
  });

  it('wraps what would not fit, and tells the detail of the row one stands on', () => {
    const label = 'Yes, all three of them: HB-1, HB-2 and HB-3';
    const choices = list(
      question({ options: [{ id: 'yes', label, detail: 'close HB-1; close HB-2; close HB-3' }, no] }),
    );
    const text = choices.render(24).join(' ').replace(/\s+/g, ' ');
    expect(text).toContain(`› 1 ${label} close HB-1; close HB-2; close HB-3`);
    choices.press('down');
    expect(choices.render(24).join(' ')).not.toContain('close HB-3');
  });
});
