import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mustAsk } from './confirmation.ts';
import { commit, grants, Stage, ticket } from '../testing/stage.ts';

function stage(): Stage {
  return new Stage(
    [
      ticket(1, 'Rewrite the sync engine', { labels: ['epic'], state: 'ready' }),
      ticket(2, 'Fix typo on the pricing page', { labels: ['docs'], state: 'ready' }),
      ticket(3, 'Add dark mode to the settings screen'),
      ticket(4, 'Export invoices as CSV', { labels: ['small'], body: 'Accountants want it.' }),
      ticket(6, 'Upgrade the login form validation', { labels: ['bug', 'xs'] }),
    ],
    [
      commit(1, 'Fix page'),
      commit(2, 'feat: export invoices to csv', 'Asked for by accounting.'),
      commit(3, 'More tests'),
    ],
  );
}

test('the conversation that failed elsewhere: a French shortlist, then a sweep, then a close that asks first', async () => {
  const playing = stage();
  const first = await playing.say('indique-moi les tickets les plus pertinents pour un quickwin');
  expect(first.reply).toMatch(/^Répétition : aucun modèle n'est configuré\./);
  const ids = new Set(first.reply.match(/HB-\d+/g));
  expect(ids.size).toBeLessThanOrEqual(3);
  expect(first.reply).toContain('Mon choix est HB-6');
  expect(first.reply).toContain('étiquette «\u00a0xs\u00a0»');
  expect(first.chips.length).toBeGreaterThan(0);

  const second = await playing.say('y a-t-il des tickets obsolètes ?');
  expect(second.reply).toContain(
    'HB-4 «\u00a0Export invoices as CSV\u00a0» : le commit cccccc2 «\u00a0feat: export invoices to csv\u00a0»',
  );
  expect(second.changes).toEqual([]);

  const third = await playing.say('ferme-le');
  expect(third.changes).toEqual([]);
  expect(third.asked).toMatchObject({
    allowFreeText: false,
    options: [{ id: 'yes', label: expect.stringContaining('HB-4') }, { id: 'no' }],
  });
  expect(third.asked?.text).toContain('cccccc2');
  expect(playing.find('HB-4').state).toBe('backlog');

  const last = await playing.answer('yes');
  expect(last.changes).toEqual(['comment_issue HB-4', 'close_issue HB-4']);
  expect(playing.find('HB-4')).toMatchObject({
    state: 'done',
    comments: [{ body: expect.stringContaining('cccccc2') }],
  });
  expect(last.reply).toContain('est fermé');
});

test('the same in English, asked for directly', async () => {
  const playing = stage();
  await playing.say('which tickets are quick wins?');
  const swept = await playing.say('are some of these already done?');
  expect(swept.reply).toContain('HB-4 “Export invoices as CSV”: commit cccccc2');
  const chip = swept.chips[0] ?? '';
  expect((await playing.say(chip)).asked).not.toBeNull();
  expect((await playing.answer('yes')).changes).toEqual(['comment_issue HB-4', 'close_issue HB-4']);
});

describe('what asks first', () => {
  const asking = [
    'close everything',
    'Close all tickets',
    'delete everything',
    'delete HB-3',
    'close all except HB-2',
    'close HB-1, HB-2 and HB-3',
    'close the obsolete tickets',
    'close it',
    'close the dark mode ticket',
    'close the first one',
    'move HB-1, HB-2, HB-3 to review',
    'label HB-1 and HB-2 and HB-3 as v2',
    'assign all tickets to Marie',
    'close HB-3 if HB-4 is done',
    'clear the board',
    'dispatch HB-1, HB-3 and HB-4',
    'create tickets:\n- One\n- Two\n- Close the door',
    'move HB-1 to review, move HB-2 to review and move HB-3 to review',
    'move the tickets labelled bug to done',
    'ferme tout',
    'supprime tout',
    'ferme tous les tickets',
    'ferme HB-1, HB-2 et HB-3',
    'ferme les tickets obsolètes',
    'ferme-le',
    'peux-tu le fermer ?',
    'passe tous les tickets en revue',
    'supprime HB-3',
    'vide le tableau',
  ];
  test.each(asking)('%s', async text => {
    const playing = stage();
    await playing.say('quick wins?');
    const before = JSON.stringify(playing.tickets);
    const turn = await playing.say(text);
    expect(turn.last.type).toBe('parked');
    expect(turn.changes).toEqual([]);
    for (const id of new Set(turn.asked?.text.match(/HB-\d+/g))) {
      expect(turn.asked?.text).toContain(playing.find(id).title);
    }
    for (const option of ['no', null, 'maybe']) {
      await playing.say(text);
      const left = await playing.answer(option);
      expect(left.changes).toEqual([]);
      expect(left.reply).toMatch(/Nothing was changed|Rien n'a été changé/);
    }
    expect(JSON.stringify(playing.tickets)).toBe(before);
    await playing.say(text);
    expect((await playing.answer('yes')).changes.length).toBeGreaterThan(0);
  });
});

test('one of several may be chosen', async () => {
  const playing = stage();
  const turn = await playing.say('close HB-1, HB-2 and HB-3');
  expect(turn.asked?.options.map(option => option.id)).toEqual(['yes', 'HB-1', 'HB-2', 'HB-3', 'no']);
  expect((await playing.answer('HB-2')).changes).toEqual(['close_issue HB-2']);
});

test('free text is no answer, and an answer without its question changes nothing', async () => {
  const playing = stage();
  const { asked } = await playing.say('close everything');
  const text = {
    ...playing.turn(''),
    answers: [{ ask: asked?.text ?? '', options: [], result: { text: 'yes' } }],
  };
  expect((await playing.play(text)).changes).toEqual([]);
  const stray = {
    ...playing.turn(''),
    answers: [{ ask: 'Something else?', options: [], result: { option: 'yes' } }],
  };
  const turn = await playing.play(stray);
  expect(turn.changes).toEqual([]);
  expect(turn.reply).toContain('no longer know');
});

test('a node that may not ask lists what it would do and changes nothing', async () => {
  const playing = stage();
  playing.mayAsk = false;
  const turn = await playing.say('close everything');
  expect(turn.changes).toEqual([]);
  expect(turn.reply).toContain('close HB-1');
  expect(turn.reply).toContain('cannot ask here');
});

test('a large board is closed in bounded pieces', async () => {
  const playing = new Stage(Array.from({ length: 50 }, (_, at) => ticket(at + 1, `Thing number ${at}`)));
  const turn = await playing.say('close everything');
  expect(turn.asked?.text).toContain('30 more remain');
  expect((await playing.answer('yes')).changes).toHaveLength(20);
});

describe('what a node was not given is not used', () => {
  test.each([
    ['close HB-3', ['close_issue'], 'may not use close_issue'],
    ['ferme HB-3', ['close_issue'], "n'a pas le droit d'utiliser close_issue"],
    ['move HB-3 to ready', ['transition_issue'], 'may not use transition_issue'],
    ['create a ticket: x y', ['create_issue'], 'may not use create_issue'],
    ['any obsolete tickets?', ['git_log'], 'may not use git_log'],
  ])('%s', async (text, without, words) => {
    const playing = stage();
    playing.grants = grants(without);
    const turn = await playing.say(text);
    expect(turn.reply).toContain(words);
    expect(turn.changes).toEqual([]);
  });
  test('without comments of its own, the close carries the reason', async () => {
    const playing = stage();
    playing.grants = grants(['comment_issue']);
    expect((await playing.say('close HB-3: not needed')).changes).toEqual(['close_issue HB-3']);
    expect(playing.find('HB-3').comments[0]?.body).toBe('not needed');
  });
  test('without a history nothing is called obsolete, and why is said', async () => {
    const playing = stage();
    playing.gitError = 'The workspace is not a git repository, so it has no history to read.';
    expect((await playing.say('any obsolete tickets?')).reply).toContain('not a git repository');
  });
});

describe('done again after a crash, nothing happens twice', () => {
  test.each([
    ['close HB-3: not needed', 'was already closed'],
    ['move HB-3 to review', 'was already in review'],
    ['create a ticket: Fix the footer', 'exists already'],
    ['comment HB-3: looks good', 'already has this comment'],
    ['label HB-3 as v2', 'already has these labels'],
    ['assign HB-3 to Marie', 'already belonged to Marie'],
    ['dispatch HB-3', 'was already ready'],
  ])('%s', async (text, words) => {
    const playing = stage();
    await playing.say(text);
    const before = JSON.stringify(playing.tickets);
    const again = await playing.say(text, {
      attempt: 2,
      interrupted: { effect: 'e1', toolsStarted: [], unseen: [] },
    });
    expect(again.reply).toContain(words);
    expect(again.changes).toEqual([]);
    expect(JSON.stringify(playing.tickets)).toBe(before);
  });

  test('a crash between the comment and the close only closes', async () => {
    const playing = stage();
    await playing.say('hello');
    playing.beforeCall = call => {
      if (call.name === 'close_issue') throw new Error('lost power');
    };
    const broken = await playing.say('close HB-3: not needed');
    expect(broken.last).toMatchObject({ type: 'failed', code: 'crashed', began: true });
    playing.beforeCall = () => {};
    expect((await playing.say('close HB-3: not needed', { attempt: 2 })).changes).toEqual([
      'close_issue HB-3',
    ]);
    expect(playing.find('HB-3').comments).toHaveLength(1);
  });

  test('an answer that is played again changes nothing more', async () => {
    const playing = stage();
    const { asked } = await playing.say('close HB-1, HB-2 and HB-3');
    await playing.answer('yes');
    const answers = [{ ask: asked?.text ?? '', options: [], result: { option: 'yes' } }];
    const again = await playing.say('close HB-1, HB-2 and HB-3', { attempt: 2, answers });
    expect(again.changes).toEqual([]);
    expect(again.reply).toContain('was already closed');
  });
});

test('whatever is asked of whatever board, three or more tickets are never changed without a question', async () => {
  const verbs = fc.constantFrom(
    'close',
    'move to review',
    'label',
    'assign',
    'dispatch',
    'ferme',
    'passe en revue',
    'lance',
    'delete',
  );
  const whom = fc.constantFrom(
    'everything',
    'all tickets',
    'HB-1, HB-2, HB-3',
    'HB-1 and HB-2 and HB-3 and HB-4',
    'tous les tickets',
    'them',
    'all three',
    'les trois',
  );
  const orders = fc.tuple(verbs, whom).map(([verb, tickets]) => {
    if (verb === 'label') return `label ${tickets} as v2`;
    if (verb === 'assign') return `assign ${tickets} to Marie`;
    if (verb === 'move to review') return `move ${tickets} to review`;
    return verb === 'passe en revue' ? `passe ${tickets} en revue` : `${verb} ${tickets}`;
  });
  await fc.assert(
    fc.asyncProperty(orders, fc.integer({ min: 0, max: 9 }), async (order, size) => {
      const playing = new Stage(Array.from({ length: size }, (_, at) => ticket(at + 1, `Thing ${at}`)));
      await playing.say('list the tickets');
      const touched = new Set(
        (await playing.say(order)).calls
          .filter(call => call.name !== 'get_issue')
          .map(call => call.args['id']),
      );
      touched.delete(undefined);
      expect(touched.size).toBeLessThan(3);
    }),
    { numRuns: 60 },
  );
});

test('closing what was not named by its id always asks', () => {
  const acts = fc.array(
    fc.record({ do: fc.constant('close' as const), ticket: fc.constantFrom('HB-1', 'HB-2', 'HB-3', 'HB-4') }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(fc.property(acts, list => mustAsk({ acts: list, explicit: false, say: [] })));
});
