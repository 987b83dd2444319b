import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cardOf } from '@hearth/client/testing/cards.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { TurnReport } from '@hearth/protocol/turn-report.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { reviewBundle, reviewScript } from '@hearth/service/testing/review.ts';
import { endAll, newHome, serve, type Served } from '@hearth/service/testing/served.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { storyOf } from './audit.ts';
import { versionNamed } from './decide.ts';
import { artifactNamed } from './show-artifact.ts';
import { decidedWords } from './show.ts';
import { confirmable } from './standing-confirmation.ts';
import { typed } from './testing/typed.ts';

/* Reviews from scripts: `hearth run`, `hearth decide`, `hearth audit` and `hearth show --artifact`. */

afterEach(endAll);

interface Stage {
  readonly served: Served;
  readonly bundle: string;
  /** A file with the request. */
  readonly request: string;
  readonly hearth: (...words: string[]) => ReturnType<typeof typed>;
}

async function stage(script = reviewScript()): Promise<Stage> {
  const served = await serve(script);
  const directory = newHome();
  const request = join(directory, 'request.txt');
  writeFileSync(request, 'please\n');
  const env = { ...process.env, HEARTH_HOME: served.home };
  return { served, bundle: reviewBundle(), request, hearth: (...words) => typed(words, directory, '', env) };
}

const reportIn = ({ out }: { readonly out: string }): TurnReport => TurnReport.parse(JSON.parse(out));

describe('hearth run', () => {
  test('stops at a gate that nobody confirmed with exit code 2, and hearth decide goes on from there', async () => {
    const { hearth, bundle, request } = await stage();
    const begun = await hearth('run', bundle, '--request', request, '--json');
    expect(begun.code).toBe(EXIT.gate);
    const { conversation, cards, state } = reportIn(begun);
    const [task] = cards;
    expect(state).toBe('waiting');
    expect(task).toMatchObject({
      artifact: 'task',
      version: 1,
      title: 'The task',
      body: 'DO what was asked\n    AS draft_task says\nDRAFT number 1',
      actions: [{ name: 'confirm' }, { name: 'revise', needs: 'feedback' }, { name: 'stop' }],
    });
    const card = `${conversation}/${task?.id}`;
    // Nobody decides on what they have not named.
    const unnamed = await hearth('decide', card, '--action', 'confirm');
    expect([unnamed.code, unnamed.err]).toEqual([
      EXIT.usage,
      expect.stringContaining('--version 1 is shown now'),
    ]);
    const revised = await hearth(
      'decide',
      card,
      '--action',
      'revise',
      '--version',
      '1',
      '--feedback',
      'for two',
      '--json',
    );
    expect(revised.code).toBe(EXIT.gate);
    expect(reportIn(revised).cards).toMatchObject([{ version: 2, earlier: [1] }]);
    // An old version, and a digest of another one, confirm nothing.
    expect(await hearth('decide', card, '--action', 'confirm', '--version', '1')).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('task is at version 2 now'),
    });
    expect(await hearth('decide', card, '--action', 'confirm', '--version', '2:0000')).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('another digest'),
    });
    const digest = reportIn(revised).cards[0]?.digest.slice('sha256:'.length, 'sha256:'.length + 6);
    const planned = await hearth('decide', card, '--action', 'confirm', '--version', `2:${digest}`, '--json');
    expect(planned.code).toBe(EXIT.gate);
    const plan = reportIn(planned).cards[0];
    expect(plan).toMatchObject({ artifact: 'plan', from: [{ artifact: 'task', version: 2 }] });
    const asked = await hearth(
      'decide',
      `${conversation}/${plan?.id}`,
      '--action',
      'standard',
      '--version',
      '1',
      '--feedback',
      'x',
    );
    expect([asked.code, asked.err]).toEqual([EXIT.failed, expect.stringContaining('say which')]);
    const finished = await hearth(
      'decide',
      `${conversation}/${plan?.id}`,
      '--action',
      'pseudo',
      '--version',
      '1',
    );
    expect(finished).toMatchObject({ code: EXIT.done, out: expect.stringContaining('It is done.') });

    const shown = await hearth('show', conversation, '--artifact', 'task@1');
    expect(shown.out).toContain('DRAFT number 1');
    const changed = await hearth('show', conversation, '--artifact', 'task', '--since', '1');
    expect(changed.out).toContain('asked for with: for two');
    expect(changed.out).toContain('- DRAFT number 1\n+ DRAFT number 2');
    expect((await hearth('show', conversation, '--artifact', 'none')).err).toContain('there are: task, plan');

    const told = await hearth('audit', conversation);
    expect(told.code).toBe(EXIT.done);
    expect(told.out).toMatch(/task@1 +[0-9a-f]{8} +earlier +made by draft_task/);
    expect(told.out).toMatch(/task@2 +[0-9a-f]{8} +confirmed/);
    expect(told.out).toMatch(/accepted .*revise +task@1 [0-9a-f]{8}/);
    expect(told.out).toMatch(/stale_version .*confirm +task@1/);
    expect(told.out).toMatch(/accepted .*confirm +task@2 [0-9a-f]{8}/);
    expect(told.out).toMatch(/kind_required .*standard +plan@1/);
    expect(told.out).toMatch(/accepted .*pseudo +plan@1 [0-9a-f]{8}/);
    expect(told.out).not.toMatch(/for two|DRAFT number/);
    const { story } = JSON.parse((await hearth('audit', conversation, '--json')).out) as {
      story: { at: string }[];
    };
    expect(story.map(one => one.at)).toEqual(story.map(one => one.at).toSorted());
  });

  test('goes through with a standing confirmation, and tells what nobody read', async () => {
    const { served, hearth, bundle, request } = await stage();
    const run = await hearth('run', bundle, '--request', request, '--standing-confirmation');
    expect(run).toMatchObject({ code: EXIT.done, out: expect.stringContaining('It is done.') });
    expect(run.out).toMatch(/Confirmed as you said beforehand: task@1 \(confirm\)\n.*plan@1 \(standard\)/);
    const { conversations } = await served.client.list();
    const told = await hearth('audit', conversations.find(one => one.bot === bundle)?.id ?? '');
    expect(told.out).toMatch(/\(standing-confirmation\)/);
  });

  test('stops at the gate even so when something was found in what is shown', async () => {
    const script = reviewScript(node =>
      node === 'draft_task' ? { text: '```\nDO it\n```', refused: false } : null,
    );
    const { hearth, bundle, request } = await stage(script);
    const run = await hearth('run', bundle, '--request', request, '--standing-confirmation');
    expect(run.code).toBe(EXIT.gate);
    expect(run.out).toContain('Found in it:');
    expect(run.out).toContain('Nothing was done');
  });

  test('is done when the bot publishes a refusal, and waits with exit code 3 when data is missing', async () => {
    const refusing = await stage(
      reviewScript(node => (node === 'draft_task' ? { text: 'That I do not do.', refused: true } : null)),
    );
    const refused = await refusing.hearth('run', refusing.bundle, '--request', refusing.request, '--json');
    expect([refused.code, reportIn(refused).state, reportIn(refused).cards]).toEqual([
      EXIT.done,
      'settled',
      [],
    ]);
    const asking = await stage(
      reviewScript((node, count) =>
        node === 'execute' && count === 1 ? { status: 'request_input', reply: 'Which year?' } : null,
      ),
    );
    const asked = await asking.hearth(
      'run',
      asking.bundle,
      '--request',
      asking.request,
      '--standing-confirmation',
      '--json',
    );
    expect(asked.code).toBe(EXIT.waiting);
    const { conversation, questions } = reportIn(asked);
    expect(questions).toMatchObject([{ kind: 'input', actions: [{ name: 'change' }, { name: 'stop' }] }]);
    const stopped = await asking.hearth('decide', `${conversation}/${questions[0]?.id}`, '--action', 'stop');
    expect(stopped.code).toBe(EXIT.failed);
  });

  test('is wrong usage without a request, and refused for one that is empty or not there', async () => {
    const { hearth, bundle } = await stage();
    expect((await hearth('run', bundle)).code).toBe(EXIT.usage);
    const gone = await hearth('run', bundle, '--request', 'gone.txt');
    expect([gone.code, gone.err]).toEqual([EXIT.failed, expect.stringContaining('cannot be read')]);
    expect((await hearth('run', bundle, '--request', '-')).err).toContain('The request is empty');
  });
});

test.each([
  ['3', { version: 3, digest: null }],
  ['3:AB12', { version: 3, digest: 'ab12' }],
  ['12:sha256:ab12cd34', { version: 12, digest: 'ab12cd34' }],
  [null, null],
])('the version %j', (text, named) => expect(versionNamed(text)).toEqual(named));

test.each(['0', 'x', '3:', '3:ab', '3:xyz1', '-1', '1.5'])('the version %j is wrong usage', text => {
  expect(() => versionNamed(text)).toThrow(expect.objectContaining({ name: 'UsageError' }));
});

test('an artifact is named with its version or without', () => {
  expect(artifactNamed('plan@2')).toEqual({ artifact: 'plan', version: 2 });
  expect(artifactNamed('plan')).toEqual({ artifact: 'plan', version: null });
  expect(() => artifactNamed('plan@')).toThrow('no version');
});

describe('a standing confirmation', () => {
  const finding = { code: 'PDL-06', severity: 'info', message: 'x' } as const;
  const viewOf = (...pauses: ConversationView['pauses']): ConversationView =>
    ({ pauses }) as ConversationView;
  test('takes what a plain ok means, or the only confirmation', () => {
    expect(confirmable(viewOf(cardOf()))?.action).toBe('confirm_standard');
    const only = cardOf({
      actions: cardOf().actions.filter(one => one.name !== 'confirm_pseudocode'),
      assent: undefined as never,
    });
    expect(confirmable(viewOf(only))?.action).toBe('confirm_standard');
  });
  test.each([
    ['nothing is open', viewOf()],
    ['something was found', viewOf(cardOf({ findings: [finding] }))],
    ['it is redrafted', viewOf(cardOf({ status: 'drafting' }))],
    ['a change is not made yet', viewOf(cardOf({ keptFeedback: { action: 'revise', text: 'x' } }))],
    ['a confirmation has two meanings', viewOf(cardOf({ assent: undefined as never }))],
    ['something else is open', viewOf(cardOf(), cardOf({ id: 'p9' }))],
  ])('leaves it to a person when %s', (_name, view) => expect(confirmable(view)).toBeNull());
});

test('what was decided is told with the version that it was about, and the words that came with it', () => {
  const base = {
    is: 'decided',
    at: '2026-01-01T00:00:00Z',
    seq: 1,
    turn: null,
    by: { kind: 'person', name: 'ada', surface: 'cli' },
    pause: 'p1',
  } as const;
  const { shown } = cardOf();
  const revised = {
    ...base,
    how: 'acted',
    option: 'revise',
    label: 'Revise',
    text: 'for two',
    shown,
  } as const;
  expect(decidedWords(revised)).toBe(
    `ada acted at p1 on ${shown.artifact}@${shown.version}: Revise: for two`,
  );
  expect(decidedWords({ ...base, how: 'said', text: 'ok?', shown })).toBe(
    `ada said at p1 on ${shown.artifact}@${shown.version}: ok?`,
  );
  expect(decidedWords({ ...base, how: 'answered', option: 'yes', label: 'Yes' })).toBe(
    'ada answered p1: Yes',
  );
  expect(decidedWords({ ...base, how: 'cancelled' })).toBe('ada cancelled p1');
});

test('the story of decisions is told in the order of time', () => {
  const by = { kind: 'person', name: 'ada', surface: 'cli' } as const;
  const base = { seq: 1, turn: null, by, pause: 'p1' } as const;
  const story = storyOf(
    [
      { ...base, is: 'decided', at: '2026-01-01T00:00:03Z', how: 'acted', option: 'confirm' },
      { ...base, is: 'asked', at: '2026-01-01T00:00:01Z', kind: 'card', text: 'x' },
    ],
    [{ at: '2026-01-01T00:00:02Z', commandId: 'x', command: 'decision', by, code: 'stale_version' }],
  );
  expect(story.map(one => [one.is, one.code, one.what])).toEqual([
    ['refused', 'stale_version', 'decision'],
    ['accepted', null, 'confirm'],
  ]);
});
