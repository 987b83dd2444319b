import { actionOf, cardOf, DIGEST, inputOf } from '@hearth/client/testing/cards.ts';
import { until } from '@hearth/client/testing/service.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import { describe, expect, it } from 'vitest';
import { composer, ConsoleStage } from './testing/stage.ts';
import { terminalOf } from './testing/terminal-of.ts';

const stage = new ConsoleStage();
const { greeted, commands, texts, start } = stage;

const PLAN =
  'GATHER current train options\nIF fewer than three remain THEN\n    STATE how many\nENDIF\nPRESENT a table';
const ADA = { kind: 'person', name: 'bob', surface: 'studio' } as const;

/** A turn that waits at a card. */
function reviewed(more: Partial<CardPause> = {}): void {
  greeted();
  stage.service.bodies.set('approach@1', PLAN);
  stage.service.bodies.set('approach@2', `${PLAN}\n    ORDERED BY price`);
  stage.service.bodies.set('approach@3', 'PRESENT a list');
  stage.service.world.send('find trains');
  stage.service.world.ask(cardOf(more));
}

const second = cardOf({ shown: { artifact: 'approach', version: 3, digest: DIGEST }, earlier: [1, 2] });
const decisions = () => commands('/decisions').map(({ body }) => body);
const refusing = (code: string, detail: string, more: object = {}) => {
  stage.service.refuse = ({ path }) =>
    path.endsWith('/decisions')
      ? { status: 409, body: { type: 'about:blank', title: 'Refused', status: 409, code, detail, ...more } }
      : null;
};

describe('a card', () => {
  it('shows title, version, provenance, body, findings and actions, and sends nothing by being looked at', async () => {
    reviewed({ findings: [{ code: 'PDL-06', severity: 'warning', message: 'a code fence', line: 4 }] });
    const { terminal } = start({ terminal: terminalOf(90, 40) });
    await terminal.shows(
      '? For review: Response Plan Pseudocode, version 2 (p5)',
      'version 2 (2 so far), ab12cd34, not confirmed yet',
      'made from interpretation version 3',
      'asked for with: “cheapest first”',
      '│ IF fewer than three remain THEN',
      '│     STATE how many',
      'Found in it:',
      '- warning, line 4: a code fence (PDL-06)',
      '/diff shows what changed, /version 1 the one before.',
      'A plain "ok" means "Confirm standard".',
      'Review p5: Response Plan Pseudocode, version 2',
      '1 Confirm standard',
      '2 Confirm pseudocode',
      '3 Change request',
      '4 Revise approach',
      '5 Stop',
      'what you type goes to the reader',
    );
    expect(stage.service.received).toEqual([]);
  });

  it('is confirmed by moving to an action and Enter, with the version that is on the screen', async () => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('2 Confirm pseudocode');
    // Enter held down, on a list that nobody has moved in.
    terminal.press(...Array.from({ length: 20 }, () => '<enter>'));
    terminal.press('2');
    await terminal.shows('Enter chooses "Confirm pseudocode"');
    expect(decisions()).toEqual([]);
    terminal.press(...Array.from({ length: 20 }, () => '<enter>'));
    await terminal.shows('answered "Confirm pseudocode" by you');
    expect(decisions()).toMatchObject([
      {
        pause: 'p5',
        artifact: 'approach',
        version: 2,
        digest: DIGEST,
        act: { do: 'act', action: 'confirm_pseudocode' },
      },
    ]);
    expect(texts()).toEqual([]);
  });

  it('that changes under the finger is not confirmed: the new version must be chosen anew', async () => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('1 Confirm standard', 'ORDERED BY price');
    terminal.press('1');
    await terminal.shows('Enter chooses "Confirm standard"');
    stage.service.world.redraft(second);
    await terminal.shows('Review p5: Response Plan Pseudocode, version 3', '│ PRESENT a list');
    terminal.press('<enter>', '<enter>');
    await terminal.shows('Number or arrows, then Enter');
    expect(decisions()).toEqual([]);
  });

  it('keeps typed feedback when it was for an older version, and sends it for the new one then', async () => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('4 Revise approach');
    terminal.press('4', '<enter>', 'two columns');
    await terminal.shows('your words for "Revise approach", for p5');
    stage.service.world.redraft(second);
    await terminal.shows('Review p5: Response Plan Pseudocode, version 3');
    refusing('stale_version', 'approach is at version 3 now.', { view: stage.service.world.view() });
    terminal.press('<enter>');
    await terminal.shows('approach is at version 3 now.');
    expect(await composer(terminal)).toContain('two columns');
    stage.service.refuse = () => null;
    terminal.press('<enter>');
    await until(() => decisions().length === 1);
    expect(decisions()).toMatchObject([{ version: 3, act: { action: 'revise', feedback: 'two columns' } }]);
  });

  it('can only be stopped while it is redrafted, and says so', async () => {
    reviewed({ status: 'drafting' });
    const { terminal } = start();
    await terminal.shows('being redrafted', '1 Confirm standard (not now)', '5 Stop');
    terminal.press('1', '<enter>', '<enter>');
    await terminal.shows('a new version is being drafted');
    expect(decisions()).toEqual([]);
    terminal.press('5', '<enter>');
    await until(() => decisions().length === 1);
    expect(decisions()).toMatchObject([{ act: { action: 'stop' } }]);
  });

  it('lets earlier versions and what changed be looked at', async () => {
    reviewed();
    const { terminal } = start({ terminal: terminalOf(90, 50) });
    await terminal.shows('1 Confirm standard');
    terminal.press('/diff', '<enter>');
    await terminal.shows(
      'approach: 1 line added and 0 removed since version 1',
      '+     ORDERED BY price',
      '… 2 lines the same',
    );
    terminal.press('/version 1', '<enter>');
    await terminal.shows('approach version 1, made by draft, small-1');
    terminal.press('/version approach@9', '<enter>');
    await terminal.shows('error: No such version.');
    expect(stage.service.received).toEqual([]);
  });

  it('is read where there is hardly any room, line by line, and says why when it cannot be read', async () => {
    reviewed();
    const { terminal } = start({ terminal: terminalOf(22, 30) });
    await terminal.shows('PRESENT a table', '1 Confirm');
    stage.service.world.redraft(cardOf({ shown: { artifact: 'approach', version: 7, digest: DIGEST } }));
    await terminal.shows('could not be');
  });
});

describe('words typed at a card', () => {
  it.each([
    ['ok', { do: 'act', action: 'confirm_standard' }],
    ['/confirm pseudocode', { do: 'act', action: 'confirm_pseudocode' }],
    ['/revise two columns', { do: 'act', action: 'revise', feedback: 'two columns' }],
    ['/change for two', { do: 'act', action: 'change_request', feedback: 'for two' }],
    ['/stop', { do: 'act', action: 'stop' }],
    ['yes?', { do: 'say', text: 'yes?' }],
    ['//confirm', { do: 'say', text: '/confirm' }],
  ])('%s', async (typed, act) => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('1 Confirm standard');
    terminal.press(typed, '<enter>');
    await until(() => decisions().length === 1);
    expect(decisions()).toMatchObject([{ pause: 'p5', artifact: 'approach', version: 2, act }]);
    expect(texts()).toEqual([]);
    expect(commands('/interrupt')).toEqual([]);
  });

  it('are bound to the version that was on the screen when the first of them was typed', async () => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('1 Confirm standard');
    await until(() => stage.service.streams === 1);
    terminal.press('o');
    await terminal.shows('o');
    stage.service.world.redraft(second);
    await terminal.shows('Review p5: Response Plan Pseudocode, version 3');
    terminal.press('k', '<enter>');
    await until(() => decisions().length === 1);
    expect(decisions()).toMatchObject([{ version: 2, act: { action: 'confirm_standard' } }]);
  });

  it('that were begun before there was any card confirm nothing: they are a message', async () => {
    greeted();
    stage.service.world.send('find trains');
    const { terminal } = start();
    await terminal.shows('working');
    await until(() => stage.service.streams === 1);
    terminal.press('o');
    stage.service.world.ask(cardOf());
    await terminal.shows('1 Confirm standard');
    terminal.press('k', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['ok']);
    expect(decisions()).toEqual([]);
  });

  it('that are a command without a review are a notice and no request', async () => {
    greeted();
    const { terminal } = start();
    await terminal.shows('Nexie');
    terminal.press('/confirm', '<enter>');
    await terminal.shows('Nothing is under review, so /confirm did nothing and was not sent.');
    terminal.press('<ctrl-c>', '/revise', '<enter>');
    await terminal.shows('/revise did nothing');
    expect(stage.service.received).toEqual([]);
  });

  it('that confirm with a wish are asked about, and taken along by the answer', async () => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('1 Confirm standard');
    refusing('kind_required', 'Say which.');
    terminal.press('/confirm but for two', '<enter>');
    await terminal.shows('Which one? “but for two”', '1 Change request', '2 Revise approach');
    stage.service.refuse = () => null;
    terminal.press('<enter>', '2');
    await terminal.shows('Enter chooses "Revise approach"');
    terminal.press('<enter>');
    await until(() => decisions().length === 1);
    expect(decisions()).toMatchObject([{ act: { action: 'revise', feedback: 'but for two' } }]);
    expect((await composer(terminal)).trim()).toBe('');
  });

  it.each([
    ['Esc', (terminal: { press: (...keys: string[]) => void }) => terminal.press('<escape>')],
    ['another version', () => stage.service.world.redraft(second)],
    ['a decision from elsewhere', () => stage.service.world.answer('stop', 'p5', ADA)],
  ])('are given back by %s while it is asked what they are', async (_name, happen) => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('1 Confirm standard');
    await until(() => stage.service.streams === 1);
    refusing('kind_required', 'Say which.');
    terminal.press('/confirm but for two', '<enter>');
    await terminal.shows('Which one? “but for two”');
    happen(terminal);
    await terminal.hides('Which one?');
    expect(await composer(terminal)).toContain('/confirm but for two');
    expect(decisions()).toEqual([]);
  });

  it('that were refused are back in the composer, beside the card as it stands now', async () => {
    reviewed();
    const { terminal } = start();
    await terminal.shows('1 Confirm standard');
    refusing('busy', 'approach is being redrafted; wait for the new version.');
    terminal.press('/revise two columns', '<enter>');
    await terminal.shows('was not taken: approach is being');
    expect(await composer(terminal)).toContain('/revise two columns');
  });
});

describe('two consoles on one card', () => {
  it('decide it once: the other is told, and its late words decide nothing', async () => {
    reviewed();
    const one = start();
    const other = start();
    await one.terminal.shows('1 Confirm standard');
    await other.terminal.shows('1 Confirm standard');
    await until(() => stage.service.streams === 2);
    other.terminal.press('/revise shorter');
    await other.terminal.shows('/revise shorter');
    one.terminal.press('1', '<enter>');
    await other.terminal.shows('answered "Confirm standard" by you');
    refusing('closed', 'p5 was already acted by ada.');
    other.terminal.press('<enter>');
    await other.terminal.shows('p5 was already acted by ada.');
    expect(decisions()).toHaveLength(1);
    expect(texts()).toEqual([]);
  });
});

describe('an input', () => {
  it('takes its data, its actions, and tells what a confirmation is to it', async () => {
    greeted();
    stage.service.world.send('find trains');
    stage.service.world.ask(
      inputOf({
        fields: { type: 'object', properties: { year: { type: 'integer' }, party: { type: 'string' } } },
        actions: [...inputOf().actions, actionOf('later', 'Later', { button: false })],
      }),
    );
    const { terminal } = start();
    await terminal.shows('1 Type the data…', '2 Change request', '3 Stop');
    terminal.press('ok', '<enter>');
    await terminal.shows('nothing waits to be');
    terminal.press('<ctrl-c>', '1', '<enter>', 'year: 2026', '<alt-enter>', 'party: two adults', '<enter>');
    await until(() => decisions().length === 1);
    expect(decisions()).toMatchObject([
      { pause: 'p6', act: { do: 'answer', fields: { year: '2026', party: 'two adults' } } },
    ]);
    expect(texts()).toEqual([]);
  });
});
